#!/bin/bash
# Builds the image of the rescue mode from Debian packages: npm run build:rescue -- FILE
# Needs root and the programs that packages/agent/images/build.sh names.
set -euo pipefail
file=${1:?usage: npm run build:rescue -- FILE}
here=$(cd "$(dirname "$0")" && pwd)
image=$("$here/../packages/agent/images/build.sh" rescue "${@:2}")
cp --sparse=always "$image" "$file"
sha256sum "$file"
