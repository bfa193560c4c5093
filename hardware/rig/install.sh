#!/usr/bin/env bash
# Installs the companion on Raspberry Pi OS or Debian 13: sudo hardware/rig/install.sh [options of `azul setup`]
# Running it again updates what is there; games are never touched.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=/opt/azul

say() { printf '\n== %s\n' "$1"; }
fail() { printf 'install: %s\n' "$1" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail 'this needs root; run it with sudo'
command -v apt-get >/dev/null || fail 'this is for Raspberry Pi OS and Debian; elsewhere, `make run` shows what there is'
case $(dpkg --print-architecture) in
  arm64 | amd64) ;;
  *) fail 'a 64-bit system is needed: onnxruntime, which reads tiles, is not made for 32 bits' ;;
esac

say 'Packages of the system'
export DEBIAN_FRONTEND=noninteractive
apt-get update --quiet=2
apt-get install --yes --quiet=2 --no-install-recommends python3 python3-venv avahi-daemon >/dev/null
# Only Raspberry Pi OS has picamera2; without it, other cameras still work.
for package in python3-picamera2 python3-gpiozero python3-lgpio; do
  if ! apt-get install --yes --quiet=2 --no-install-recommends "$package" >/dev/null 2>&1; then
    printf 'warning: %s cannot be had here, and is left out\n' "$package" >&2
  fi
done

say 'Libraries'
# All is fetched before anything is touched: without a network, what was installed before goes on.
fetched=$(mktemp --directory --tmpdir=/var/tmp azul.XXXXXX)
trap 'rm -rf "$fetched"' EXIT
python3 -m venv "$fetched/env"
pip=(-m pip --disable-pip-version-check --quiet)
"$fetched/env/bin/python" "${pip[@]}" download --require-hashes --only-binary=:all: --dest "$fetched" \
  --requirement "$source/requirements/run.txt"

say "Environment in $target"
if systemctl is-active --quiet azul.service 2>/dev/null; then systemctl stop azul.service; fi
# picamera2 and libcamera are there for the system's Python only, so the environment must see its packages.
python3 -m venv --clear --system-site-packages "$target"
install=("$target/bin/python" "${pip[@]}" install --no-index --find-links "$fetched")
"${install[@]}" --require-hashes --requirement "$source/requirements/run.txt"
"${install[@]}" --no-deps --no-build-isolation "$source"
ln --symbolic --force "$target/bin/azul" /usr/local/bin/azul
"$target/bin/azul" --version

if [ -d /run/systemd/system ]; then
  say 'Service'
  azul setup "$@"
else
  printf 'warning: systemd does not run here, so no service is set up\n' >&2
fi
say 'Done; `azul doctor` says how everything is.'
