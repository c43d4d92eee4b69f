#!/bin/sh
# install.sh FOLDER: puts the real VS Code, as code-server, into FOLDER, once; a minute or two.
# Needs node 20, npm, a C++ compiler, make, python3, and on the PATH chromium and rg (ripgrep).
set -eu
VERSION=4.99.4
mkdir -p "$1"
cd "$1"
FOLDER=$PWD
[ -f "installed-$VERSION" ] && exit 0
for tool in chromium rg; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install chromium ripgrep" >&2; exit 1; }
done
echo "Installing code-server $VERSION into $FOLDER, once" >&2
[ -f package.json ] || echo '{"private": true}' >package.json
# Its own installer downloads a browser's headers and ripgrep; what is needed of it is done here.
npm install --no-fund --no-audit --loglevel=error --ignore-scripts --no-save "code-server@$VERSION"
npm rebuild argon2 --foreground-scripts >argon2.log 2>&1
cd node_modules/code-server/lib/vscode
npm install --no-fund --no-audit --loglevel=error --omit=dev --ignore-scripts
npm rebuild @vscode/spdlog native-watchdog --foreground-scripts >"$FOLDER/native.log" 2>&1
npm_config_yes=true npm rebuild node-pty --foreground-scripts >"$FOLDER/pty.log" 2>&1 ||
    echo "node-pty was not built; only the terminal needs it" >&2
mkdir -p node_modules/@vscode/ripgrep/bin
ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
ln -sfn node_modules node_modules.asar
ln -sf code-linux.sh bin/remote-cli/code-server
ln -sf browser-linux.sh bin/helpers/browser.sh
(cd extensions && npm install --no-fund --no-audit --loglevel=error --omit=dev --ignore-scripts)
printf 'auth: none\ncert: false\n' >"$FOLDER/config.yaml"
node "$FOLDER/node_modules/code-server/out/node/entry.js" --config "$FOLDER/config.yaml" --version >&2
touch "$FOLDER/installed-$VERSION"
