#!/usr/bin/env bash
# Builds, tests, installs and demonstrates svc: `./install.sh --help` lists the commands.
set -euo pipefail

BUN_VERSION=1.4.4
TEST_PARTS='postgres chromium redis pebble' # What the suites need from the system; see part_package.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
EXECUTABLE="$ROOT/dist/svc"

DEST="${SVC_INSTALL_ROOT:-}" # Tests install below a folder, without a user and without systemd.
BIN=/usr/local/bin/svc
DATA=/var/lib/svc
CACHE=/var/cache/svc
ENV_FILE=/etc/svc/svc.env
UNIT=/etc/systemd/system/svc.service

DRY_RUN='' YES='' PURGE=''

help() {
  cat <<'TEXT'
svc set-up

  ./install.sh                 install svc on this server: executable, user, data folder, systemd service;
                               run it again to upgrade
  ./install.sh uninstall       undo that; data, settings and user stay unless --purge is given
  ./install.sh demo [ARGS]     build and run a throw-away demo; ARGS go to `svc demo`
  ./install.sh build           build dist/svc
  ./install.sh release [NAMES] build archives to take away, for other machines too, with their digests, in dist/release;
                               NAMES: linux-x64 linux-x64-musl linux-arm64 linux-arm64-musl darwin-arm64 windows-x64
  ./install.sh test            build, then run every check and suite

Options of the server install and of uninstall:
  --yes       do not ask
  --dry-run   print every step and change nothing
  --purge     uninstall only: delete data, settings and user as well

An archive of a release for this machine (svc-VERSION-NAME.tar.gz) beside this script is taken by the server install and
by demo instead of building. Building needs Bun 1.4, or npm to get it into .tools.
Example: ./install.sh demo --port 3000
TEXT
}

main() {
  local word="${1:-}"
  case "$word" in
    -h | --help | help) help ;;
    demo) shift && get_executable && exec "$EXECUTABLE" demo "$@" ;;
    build) no_more "${@:2}" && build ;;
    release) shift && release "$@" ;;
    test) no_more "${@:2}" && run_tests ;;
    uninstall) options "${@:2}" && uninstall_server ;;
    '' | -*) options "$@" && install_server ;;
    *) misused "There is no '$word'." ;;
  esac
}

options() {
  local option
  for option in "$@"; do
    case "$option" in
      --yes) YES=1 ;;
      --dry-run) DRY_RUN=1 ;;
      --purge) PURGE=1 ;;
      *) misused "There is no option '$option'." ;;
    esac
  done
}

no_more() { [ $# = 0 ] || misused "'$1' is not understood here."; }
say() { printf '%s\n' "$*"; }
note() { printf '%s\n' "$*" >&2; }
misused() {
  note "install.sh: $* See ./install.sh --help."
  exit 2
}
die() {
  note "install.sh: $*"
  exit 1
}

# --- Building. Messages go to stderr only, because `demo --json` prints exactly one line on stdout.

build() {
  get_bun
  in_tree bun install --frozen-lockfile >&2 || die 'The packages could not be installed.'
  in_tree bun run build >&2 || die 'The build failed.'
  [ -x "$EXECUTABLE" ] || die 'The build made no dist/svc.'
}

in_tree() { (cd "$ROOT" && "$@"); }

release() {
  build
  in_tree bun src/build-release.ts "$@" || exit 1
}

# --- An archive of a release that somebody has put beside this script.

get_executable() { if [ -n "$(archive)" ]; then unpack; else build; fi; }

# The newest one for this machine.
archive() {
  local name
  name="$(release_name)"
  [ -z "$name" ] || find "$ROOT" -maxdepth 1 -name "svc-[0-9]*-$name.tar.gz" | sort -V | tail -n 1
}

release_name() {
  local libc
  libc="$(libc_suffix)"
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) say "linux-x64$libc" ;;
    Linux-aarch64 | Linux-arm64) say "linux-arm64$libc" ;;
    Darwin-arm64) say darwin-arm64 ;;
  esac
}

unpack() {
  local file
  file="$(archive)"
  compare_digest "$file"
  mkdir -p "$ROOT/dist"
  tar -xzf "$file" -C "$ROOT/dist" svc || die "${file##*/} could not be unpacked."
}

compare_digest() {
  local name="${1##*/}" expected
  [ -f "$ROOT/SHA256SUMS" ] || die "SHA256SUMS of the release is not beside $name, so its digest cannot be compared."
  expected="$(awk -v name="$name" '$2 == name { print $1 }' "$ROOT/SHA256SUMS")"
  [ -n "$expected" ] || die "SHA256SUMS does not name $name: it is of another release."
  [ "$(sha256_of "$1")" = "$expected" ] || die "$name does not have the digest in SHA256SUMS: get both again."
}

sha256_of() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# The platform's own package, not `bun`: that one is a placeholder until its install script has run, which npm may block.
get_bun() {
  is_bun bun && return
  local package bin
  package="$(bun_package)" || exit 1
  bin="$ROOT/.tools/node_modules/$package/bin"
  is_bun "$bin/bun" || fetch_bun "$package"
  is_bun "$bin/bun" || die "Bun $BUN_VERSION does not run on this machine."
  export PATH="$bin:$PATH"
}

is_bun() { [[ "$("$1" --version 2>/dev/null)" == "${BUN_VERSION%.*}".* ]]; }

fetch_bun() {
  command -v npm >/dev/null || die 'Building needs Bun 1.4, or npm to get it: install one of them and try again.'
  note "Getting Bun $BUN_VERSION into .tools"
  npm install --prefix "$ROOT/.tools" --no-save --ignore-scripts --loglevel=error "$1@$BUN_VERSION" >&2 ||
    die "npm could not get $1@$BUN_VERSION."
}

# Packages and archives for musl have it in their names; those for glibc have nothing.
libc_suffix() { if [[ "$(ldd --version 2>&1)" == *musl* ]]; then say -musl; fi; }

bun_package() {
  local libc
  libc="$(libc_suffix)"
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) say "@oven/bun-linux-x64$libc" ;;
    Linux-aarch64 | Linux-arm64) say "@oven/bun-linux-aarch64$libc" ;;
    Darwin-x86_64) say '@oven/bun-darwin-x64' ;;
    Darwin-arm64) say '@oven/bun-darwin-aarch64' ;;
    *) die "There is no Bun for $(uname -s) on $(uname -m)." ;;
  esac
}

# --- Testing. The last line of the output is always the totals.

run_tests() {
  trap finish_tests EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  install_parts & # Beside the build: one waits for the network, the other computes.
  INSTALLING=$!
  build
  in_tree bun run types >&2 || die 'The types of the console could not be made.'
  wait "$INSTALLING" || return 1
  offer_parts
  export SVC_TEST_EXECUTABLE="$EXECUTABLE"
  local status=0
  # Not in the foreground: a signal is handled at once then, and not when the suites have ended.
  (cd "$ROOT" && exec bun test/support/suites/main.ts) &
  RUNNING=$!
  wait "$RUNNING" || status=$?
  RUNNING=''
  [ $status -gt 1 ] || HAS_TOTALS=1
  return $status
}

# The suites print the totals themselves. Whatever ended before they could is one failure.
HAS_TOTALS='' INSTALLING='' RUNNING=''
finish_tests() {
  local status=$? ended=0
  trap - EXIT
  if [ -n "$RUNNING" ]; then
    kill -TERM "$RUNNING" 2>/dev/null || true
    wait "$RUNNING" || ended=$?
    [ $ended -gt 1 ] || HAS_TOTALS=1
  fi
  [ -z "$INSTALLING" ] || wait "$INSTALLING" || true
  [ -n "$HAS_TOTALS" ] || say '0 passed, 1 failed'
  [ $status = 0 ] || exit 1
}

# In CI a missing part is installed. Elsewhere its tests are skipped; SVC_TEST_SKIP tells the tests so.
install_parts() {
  [ "${CI:-}" = true ] || return 0
  local part missing=''
  for part in $TEST_PARTS; do
    find_part "$part" || missing+=" $part"
  done
  [ -z "$missing" ] || read_packages
  for part in $missing; do
    install_package "$(part_package "$part")"
    find_part "$part" || die "$(part_package "$part") is installed, but it is not where it should be."
  done
}

offer_parts() {
  local part
  for part in $TEST_PARTS; do
    offer_part "$part"
  done
}

part_package() {
  case "$1" in
    postgres) say postgresql ;;
    chromium) say chromium-headless-shell ;; # Without the parts of the window, which take a third of the browser's time.
    redis) say redis-server ;;
    pebble) say pebble ;; # A certificate authority for tests.
  esac
}

offer_part() {
  if find_part "$1"; then
    export "SVC_TEST_$(printf %s "$1" | tr '[:lower:]' '[:upper:]')_BIN=$FOUND"
  else
    say "Skipped: the tests on $1, because it is not on this machine (Debian: apt-get install $(part_package "$1"))."
    export SVC_TEST_SKIP="${SVC_TEST_SKIP:+$SVC_TEST_SKIP,}$1"
  fi
}

find_part() {
  case "$1" in
    postgres) FOUND="$(find_postgres)" ;;
    chromium) FOUND="$(find_chromium)" ;;
    redis) FOUND="$(command -v "${SVC_TEST_REDIS_BIN:-redis-server}" || command -v valkey-server)" ;;
    pebble) FOUND="$(command -v "${SVC_TEST_PEBBLE_BIN:-pebble}")" ;;
  esac
}

find_chromium() {
  if [ -n "${SVC_TEST_CHROMIUM_BIN:-}" ]; then
    command -v "$SVC_TEST_CHROMIUM_BIN"
  else
    command -v chromium-headless-shell || command -v chromium
  fi
}

# The folder of PostgreSQL's server programs. On Debian they are not on PATH, and each version has its own folder.
find_postgres() {
  local folder
  for folder in "${SVC_TEST_POSTGRES_BIN:-}" "$(dirname "$(command -v initdb)")" "$(newest_postgres)"; do
    if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] && [ -x "$folder/pg_ctl" ]; then
      say "$folder"
      return
    fi
  done
  return 1
}

newest_postgres() { printf '%s\n' "$DEST"/usr/lib/postgresql/*/bin | sort -V | tail -n 1; }

read_packages() {
  as_root apt-get -qq -o Acquire::Retries=3 update >&2 || note 'apt-get could not read its lists of packages.'
}

install_package() {
  note "Installing Debian's $1"
  get_package "$1" >&2 || die "apt-get could not install $1."
}

# Older releases of Debian have Chromium as a whole only.
get_package() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=3 --no-install-recommends install "$1" ||
    { [ "$1" = chromium-headless-shell ] && get_package chromium; }
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# --- The server: one executable, one user, one data folder, one service.

install_server() {
  [ -z "$PURGE" ] || misused '--purge belongs to uninstall.'
  need_server
  refuse_foreign_user
  confirm "This installs or upgrades svc on this server: the executable $BIN, the user svc, the data folder $DATA," \
    "the settings $ENV_FILE and the service svc, started now and at every boot. './install.sh uninstall' undoes it."
  get_installable
  install_files
  system systemctl daemon-reload
  system systemctl enable svc
  system systemctl restart svc
  [ -n "$DRY_RUN$DEST" ] || await_answer
  [ -n "$DRY_RUN" ] || say_next
}

get_installable() {
  if [ -n "$(archive)" ]; then run unpack; else is_built || run build; fi
}

need_server() {
  [ -z "$DRY_RUN$DEST" ] || return 0
  [ -d /run/systemd/system ] ||
    die "This machine does not run systemd: use './install.sh build' and run 'dist/svc serve', or the Dockerfile."
  [ "$(id -u)" = 0 ] || die "This needs root: use sudo, or look at the steps first with --dry-run."
}

refuse_foreign_user() {
  [ -n "$DEST" ] || [ -z "$(svc_home)" ] || [ "$(svc_home)" = $DATA ] ||
    die "There is a user named svc with the home $(svc_home) already, and svc needs that name for itself."
}

svc_home() { getent passwd svc 2>/dev/null | cut -d : -f 6; }

confirm() {
  [ -z "$YES$DRY_RUN" ] || return 0
  [ -t 0 ] || die 'There is no terminal to ask on: add --yes.'
  local answer
  read -r -p "$* Go on? [y/N] " answer
  [[ "$answer" == [yY]* ]] || die 'Nothing was changed.'
}

# An executable older than a source counts as not built, so that an upgrade never installs the previous version.
is_built() {
  [ -x "$EXECUTABLE" ] &&
    [ -z "$(find "$ROOT"/{src,migrations,package.json,bun.lock} -newer "$EXECUTABLE" -print -quit 2>/dev/null)" ]
}

install_files() {
  [ -n "$DRY_RUN" ] || "$EXECUTABLE" --help >/dev/null || die 'dist/svc does not run on this machine.'
  [ -n "$(svc_home)" ] ||
    system useradd --system --user-group --home-dir $DATA --no-create-home --shell /usr/sbin/nologin svc
  run install -d -m 0700 "$DEST$DATA"
  system chown svc:svc $DATA
  run install -D -m 0755 "$EXECUTABLE" "$DEST$BIN.new"
  run mv -f "$DEST$BIN.new" "$DEST$BIN" # In one move: the old one may be running.
  [ -e "$DEST$ENV_FILE" ] || settings | put 0640 "$DEST$ENV_FILE"
  # The user svc may read it, so that commands that are run as svc work on this installation.
  system chown root:svc $ENV_FILE
  run chmod 0640 "$DEST$ENV_FILE"
  unit | put 0644 "$DEST$UNIT"
}

run() {
  if [ -n "$DRY_RUN" ]; then say "+ $*"; else "$@"; fi
}

# Steps for the whole machine. They are left out when SVC_INSTALL_ROOT is set.
system() { [ -n "$DEST" ] || run "$@"; }

put() {
  if [ -n "$DRY_RUN" ]; then
    say "+ write $2, mode $1:" && sed 's/^/    /'
  else
    install -D -m "$1" /dev/stdin "$2"
  fi
}

# Waits up to 30 s for the service, or less when the service has failed.
await_answer() {
  local host port
  host="$(plain_host)" port="$(setting SVC_PORT 3000)"
  for _ in {1..60}; do
    ! answers "$host" "$port" || return 0
    ! systemctl --quiet is-failed svc || break
    sleep 0.5
  done
  journalctl --unit svc --lines 10 --no-pager --output cat >&2 || true
  die "svc is installed but does not answer on $host:$port: see the log above, or 'journalctl -u svc'."
}

# With https of its own, svc listens on loopback for programs of this machine.
plain_host() { if [ "$(setting SVC_TLS off)" = off ]; then setting SVC_HOST 127.0.0.1; else say 127.0.0.1; fi; }

setting() {
  local value
  value="$(sed -n "s/^$1=//p" "$DEST$ENV_FILE" | tail -n 1 | tr -d "\"'")"
  say "${value:-$2}"
}

answers() {
  local line
  line="$( (exec 3<>"/dev/tcp/$1/$2" && printf 'GET /health HTTP/1.0\r\n\r\n' >&3 && head -n 1 <&3) 2>/dev/null)"
  [[ "$line" == *' 200 '* ]]
}

say_next() {
  cat <<TEXT
svc runs on http://$(plain_host):$(setting SVC_PORT 3000)
  first project  sudo -u svc svc project create --name 'My app'
  settings       $ENV_FILE, then: sudo systemctl restart svc
  public access  set SVC_TLS=auto, SVC_DOMAINS=svc.example.com and SVC_ACCEPT_CA_TERMS=1: svc gets its certificates itself;
                 or put a reverse proxy with https before it and set PUBLIC_BASE_URL
  log            journalctl -u svc -f
  backup         sudo -u svc svc backup $DATA/svc.backup
TEXT
}

uninstall_server() {
  need_server
  if [ -z "$DRY_RUN" ] && ! is_installed; then
    say 'svc is not installed on this machine.'
    return
  fi
  local kept="$DATA and $ENV_FILE stay."
  [ -z "$PURGE" ] || kept="$DATA, with ALL DATA AND KEYS, and $ENV_FILE are DELETED."
  confirm "This stops svc and removes it from this server. $kept"
  remove_service
  run rm -f "$DEST$BIN"
  run rm -rf "$DEST$CACHE"
  [ -z "$PURGE" ] || purge
  [ -n "$DRY_RUN" ] || say "svc is removed. $kept"
}

# With --purge, the data of an earlier installation also count as something to remove.
is_installed() { [ -e "$DEST$BIN" ] || [ -e "$DEST$UNIT" ] || { [ -n "$PURGE" ] && [ -e "$DEST$DATA" ]; }; }

remove_service() {
  [ -n "$DRY_RUN" ] || [ -e "$DEST$UNIT" ] || return 0
  system systemctl disable --now svc
  run rm -f "$DEST$UNIT"
  system systemctl daemon-reload
}

purge() {
  run rm -rf "$DEST$DATA" "$DEST$(dirname $ENV_FILE)"
  [ "$(svc_home)" != $DATA ] || system userdel svc
}

settings() {
  cat <<'TEXT'
# Settings of svc. Take the # away, change the value, then: systemctl restart svc
# A wrong value keeps svc from starting; `journalctl -u svc` then lists all faults at once.
# The service reads this file, and so does every command that is run as its user: sudo -u svc svc project list

# Https of svc itself, on ports 443 and 80: auto with certificates for SVC_DOMAINS, which a certificate authority gives, or
# files:CERTIFICATE,KEY. 1 accepts the terms of that authority (https://letsencrypt.org/repository/ for Let's Encrypt).
#SVC_TLS=off
#SVC_DOMAINS=svc.example.com
#SVC_ACCEPT_CA_TERMS=off
#SVC_HTTPS_PORT=443
#SVC_HTTP_PORT=80

# Another certificate authority: its directory, profile, root, and KID:HMAC; the address that it may write to.
#SVC_ACME_URL=https://acme-v02.api.letsencrypt.org/directory
#SVC_ACME_EMAIL=
#SVC_ACME_PROFILE=
#SVC_ACME_CA=
#SVC_ACME_EAB=

# Where names of customers are looked up, as ADDRESS:PORT. Default: the resolver of the system.
#SVC_DNS=

# Where it listens. Keep it on loopback behind a reverse proxy that speaks https. With SVC_TLS, the address of its ports.
#SVC_HOST=127.0.0.1
#SVC_PORT=3000

# The public https address of this server.
#PUBLIC_BASE_URL=https://svc.example.com

# How many proxy hops to believe in X-Forwarded-For: 1 behind one reverse proxy.
#SVC_TRUSTED_PROXIES=0

# production or development; with development, the seconds by which the clock of svc is ahead of the time (for tests).
#SVC_MODE=production
#SVC_TEST_CLOCK_OFFSET=0

# Database and key file. Another folder must also stand in ReadWritePaths (systemctl edit svc).
#SVC_DATA_DIR=/var/lib/svc

# file:, libsql:// or https:// (Turso, with its token; with a replica file, an embedded replica), postgres://
#SVC_DATABASE_URL=file:/var/lib/svc/svc.db
#SVC_DATABASE_AUTH_TOKEN=
#SVC_DATABASE_REPLICA=

# PostgreSQL behind a pooler: off where it forbids LISTEN, or prepared statements.
#SVC_DATABASE_LISTEN=on
#SVC_DATABASE_PREPARE=on

# Uploads and results for download: file:FOLDER, or s3://BUCKET/PREFIX with the AWS_ variables. Several servers need a
# bucket.
#SVC_STORAGE_URL=file:/var/lib/svc/blobs
#AWS_ACCESS_KEY_ID=
#AWS_SECRET_ACCESS_KEY=
#AWS_SESSION_TOKEN=
#AWS_REGION=us-east-1
#AWS_ENDPOINT_URL=

# 32 bytes, base64; encrypts stored credentials. Default: made at first start in the data folder. Keep a copy!
#SVC_MASTER_KEY=

# A PEM file of extra Apple roots, for Sandbox and Xcode only.
#SVC_IOS_EXTRA_ROOTS=

# The built-in test store: on or off. It signs for Sandbox only.
#SVC_SIMULATOR=on

# http(s)://USER:PASSWORD@HOST:8123/DATABASE of ClickHouse: figures, charts and SQL are read there.
# off: figures, charts, SQL and results of experiments are refused. Default: counted in the same database.
#SVC_ANALYTICS_URL=

# Who answers as the assistant in projects without a model of their own: anthropic, openai, or compatible (a server that
# speaks Chat Completions with tools, which may be one of this network).
#SVC_ASSISTANT_PROVIDER=
#SVC_ASSISTANT_KEY=
#SVC_ASSISTANT_MODEL=
#SVC_ASSISTANT_URL=

# Where daily exchange rates come from: a copy of the European Central Bank's files, or off. Default: its own address.
#SVC_FX_URL=

# Custom domains of funnels: the name servers that they are checked at (IP:PORT), the IP addresses at which visitors reach
# this server, and names that no project may have. Each is a list with commas.
#SVC_DNS=
#SVC_PUBLIC_IPS=
#SVC_RESERVED_HOSTS=

# Where the stores are, and whether addresses that users give may be on this machine; only tests change these.
#SVC_ALLOW_PRIVATE_TARGETS=off
#SVC_IOS_API_URL=
#SVC_IOS_CONNECT_API_URL=
#SVC_IOS_LOOKUP_URL=
#SVC_INTEGRATIONS_URL=
#SVC_ANDROID_API_URL=
#SVC_ANDROID_TOKEN_URL=
#SVC_PUBSUB_API_URL=
#SVC_PAYMENT_API_URL=
#SVC_PAYMENT_CONNECT_URL=
#SVC_OAUTH_GOOGLE_URL=
#SVC_OAUTH_GITHUB_URL=

# The platform's own keys at the payment provider, where projects sell through connected accounts.
#SVC_PAYMENT_CONNECT_TEST_CLIENT_ID=
#SVC_PAYMENT_CONNECT_TEST_KEY=
#SVC_PAYMENT_CONNECT_TEST_PUBLISHABLE_KEY=
#SVC_PAYMENT_CONNECT_TEST_WEBHOOK_SECRET=
#SVC_PAYMENT_CONNECT_LIVE_CLIENT_ID=
#SVC_PAYMENT_CONNECT_LIVE_KEY=
#SVC_PAYMENT_CONNECT_LIVE_PUBLISHABLE_KEY=
#SVC_PAYMENT_CONNECT_LIVE_WEBHOOK_SECRET=

# Requests per minute for each half of a key and for each address, and new subscribers per minute that one address
# may create with public keys; 0 switches one off.
#SVC_RATE_KEY=500
#SVC_RATE_IP=1000
#SVC_RATE_NEW=120
#SVC_RATE_USER=300

# 1: projects have plans with limits, for those who host svc for others. The plans as JSON; without them, four plans.
#SVC_CLOUD=0
#SVC_BILLING_PLANS=

# Your own account at the payment provider, which charges your customers for their plans. Default: the built-in test store.
#SVC_BILLING_SECRET_KEY=
#SVC_BILLING_PUBLISHABLE_KEY=
#SVC_BILLING_WEBHOOK_SECRET=

# redis:// or rediss:// (Redis, Valkey): rate limits and marks that several processes share. Only with several of them.
#SVC_CACHE_URL=

# 1: anyone may make a dashboard account. off: only the first user and invited people.
#SVC_OPEN_SIGNUP=off

# Domains of mail addresses whose users may administer the platform, with commas between them.
#SVC_ADMIN_EMAIL_DOMAINS=

# Sign-in by Google, GitHub or another OpenID Connect provider.
#SVC_OAUTH_GOOGLE_ID=
#SVC_OAUTH_GOOGLE_SECRET=
#SVC_OAUTH_GITHUB_ID=
#SVC_OAUTH_GITHUB_SECRET=
#SVC_OAUTH_OIDC_ISSUER=
#SVC_OAUTH_OIDC_ID=
#SVC_OAUTH_OIDC_SECRET=
# on: an address of that provider counts as verified when the provider does not say so. Only where people cannot choose it.
#SVC_OAUTH_OIDC_TRUST_EMAIL=off

# Mail: smtp:// or smtps://, the sender's address, and PROVIDER:SECRET of bounce reports. Without a server mail stays in
# the outbox: svc outbox
#SVC_SMTP_URL=
#SVC_MAIL_FROM=
#SVC_MAIL_WEBHOOK_SECRET=

# Configuration streams that one address may have open with public keys; 0 = no limit.
#SVC_STREAMS_PER_IP=200

# Seconds for which a connection stays open between two requests: longer than the proxy in front keeps an unused one.
#SVC_KEEP_ALIVE_SECONDS=75

# Megabytes for kept answers; 0 = by the memory of the machine.
#SVC_CACHE_MB=0

# debug, info, warn or error; Prometheus /metrics on loopback, 0 = off.
#SVC_LOG_LEVEL=info
#SVC_INTERNAL_PORT=3001

# The address of /metrics; in a container 0.0.0.0, its port published only to the collector.
#SVC_INTERNAL_HOST=127.0.0.1
TEXT
}

# MemoryDenyWriteExecute is left out, because the JIT writes code. Exit code 2 is a wrong configuration, which a restart
# does not correct. After any other exit, systemd restarts for ever, because a database may be down for a long time.
# The cache folder is for the native library inside the executable: it is unpacked to be loaded, and /tmp may be noexec.
unit() {
  cat <<TEXT
[Unit]
Description=svc, subscriptions and entitlements
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
User=svc
Group=svc
WorkingDirectory=$DATA
Environment=SVC_DATA_DIR=$DATA BUN_TMPDIR=$CACHE
EnvironmentFile=-$ENV_FILE
ExecStart=$BIN serve
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2
TimeoutStopSec=15
LimitNOFILE=65536
LimitCORE=0
UMask=0077

ReadWritePaths=$DATA
CacheDirectory=svc
CacheDirectoryMode=0700
NoNewPrivileges=yes
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
TEXT
}

main "$@"
