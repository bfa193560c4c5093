"""Sentences in the language of the device."""
