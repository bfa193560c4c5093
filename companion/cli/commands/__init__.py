"""The subcommands of `azul`, one module each, each with a `command`."""
