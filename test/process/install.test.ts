import { afterAll, beforeEach, expect, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INSTALLATION } from '../../src/base/cli/installation'
import { VARIABLES } from '../../src/base/config-variables'

/** A copy of install.sh in its own folder, with replacements of bun, npm and apt-get, and nothing else on PATH. */
const home = mkdtempSync(join(tmpdir(), 'svc-install-'))
const tree = join(home, 'tree')
const root = join(home, 'root')
const tools = join(home, 'tools')
const source = join(import.meta.dir, '..', '..')

const SYSTEM_TOOLS =
  'awk bash cat chmod cp cut dirname env find getent grep gzip head id install ldd ls mkdir mktemp mv rm sed sha256sum sort tail tar tee tr uname'
const STUB_BUN = `#!/bin/bash
echo "bun $*" >> "${home}/calls"
case "$*" in
  install* | 'run build') echo chatter ;;&
  --version) echo "\${STUB_VERSION:-1.4.9}" ;;
  'run build') [ -z "\${STUB_BROKEN_BUILD:-}" ] && mkdir -p dist && cp ../svc dist/svc ;;
  test/support/suites/main.ts)
    echo "skip=\${SVC_TEST_SKIP:-} postgres=\${SVC_TEST_POSTGRES_BIN:-} chromium=\${SVC_TEST_CHROMIUM_BIN:-}."
    echo "redis=\${SVC_TEST_REDIS_BIN:-} executable=\${SVC_TEST_EXECUTABLE:-}."
    [ -z "\${STUB_LONG:-}" ] || { trap 'echo "3 passed, 1 failed"; exit 1' TERM; : > "${home}/begun"; }
    while [ -e "${home}/begun" ]; do /bin/sleep 0.1; done
    echo "$STUB_TOTALS"
    exit "\${STUB_CODE:-0}" ;;
esac`
const STUB_NPM = `#!/bin/bash
echo "npm $*" >> "${home}/calls"
package="\${@: -1}"
bin="${tree}/.tools/node_modules/\${package%@*}/bin"
mkdir -p "$bin" && sed 's/:-1.4.9/:-1.4.4/; s/STUB_VERSION/FETCHED_VERSION/' "${home}/bun" > "$bin/bun" && chmod 755 "$bin/bun"`
const STUB_APT = `#!/bin/bash
echo "apt-get $*" >> "${home}/calls"
[ -z "\${STUB_BROKEN_APT:-}" ] || exit 100
case "$*" in
  *' install postgresql') mkdir -p "${home}/pg" && ${home}/make-postgres ;;
  *' install chromium-headless-shell')
    [ -z "\${STUB_OLD_DEBIAN:-}" ] || exit 100
    install -m 755 /dev/null ${tools}/chromium-headless-shell ;;
  *' install chromium') install -m 755 /dev/null ${tools}/chromium ;;
  *' install redis-server') install -m 755 /dev/null ${tools}/redis-server ;;
  *' install pebble') install -m 755 /dev/null ${tools}/pebble ;;
esac`
const STUB_SVC = '#!/bin/bash\necho "svc $*"'

function script(path: string, text: string) {
  writeFileSync(path, `${text}\n`)
  chmodSync(path, 0o755)
}

beforeEach(() => {
  rmSync(home, { recursive: true, force: true })
  for (const folder of [tree, root, tools]) mkdirSync(folder, { recursive: true })
  cpSync(join(source, 'install.sh'), join(tree, 'install.sh'))
  for (const tool of SYSTEM_TOOLS.split(' ')) symlinkSync(Bun.which(tool) ?? `/bin/${tool}`, join(tools, tool))
  script(join(home, 'svc'), STUB_SVC)
  script(join(home, 'bun'), STUB_BUN)
  script(join(tools, 'bun'), STUB_BUN)
  script(join(tools, 'npm'), STUB_NPM)
  script(join(tools, 'apt-get'), STUB_APT)
  script(join(tools, 'chromium'), '')
  script(join(tools, 'redis-server'), '')
  script(join(tools, 'pebble'), '')
  script(join(tools, 'sudo'), '#!/bin/bash\nshift\nexec "$@"')
  script(join(home, 'make-postgres'), `#!/bin/bash\n${postgresFolder('15')}`)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const postgresFolder = (version: string) => {
  const bin = `${root}/usr/lib/postgresql/${version}/bin`
  return `mkdir -p ${bin} && for name in initdb postgres pg_ctl; do install -m 755 /dev/null ${bin}/$name; done`
}

function install(args: string, env: Record<string, string> = {}) {
  const ran = Bun.spawnSync({
    cmd: ['bash', join(tree, 'install.sh'), ...args.split(' ').filter(Boolean)],
    cwd: '/',
    stdin: 'ignore',
    env: { PATH: tools, SVC_INSTALL_ROOT: root, STUB_TOTALS: '5 passed, 0 failed', ...env },
  })
  const out = ran.stdout.toString()
  return { code: ran.exitCode, out, err: ran.stderr.toString(), last: out.trimEnd().split('\n').at(-1) }
}

const calls = () => (existsSync(join(home, 'calls')) ? readFileSync(join(home, 'calls'), 'utf8') : '')
/** What was asked of apt-get, without the calls of the build beside it. */
const aptCalls = () =>
  calls()
    .split('\n')
    .filter((line) => line.startsWith('apt-get '))
    .join('\n')
const at = (path: string) => join(root, path)
const mode = (path: string) => (statSync(at(path)).mode & 0o777).toString(8)
const built = () => {
  mkdirSync(join(tree, 'dist'))
  script(join(tree, 'dist/svc'), STUB_SVC)
}

test('help names every word', () => {
  const { code, out } = install('--help')
  expect(code).toBe(0)
  for (const word of ['demo', 'build', 'release', 'test', 'uninstall', '--yes', '--dry-run', '--purge'])
    expect(out).toContain(word)
})

const misuses = ['bogus', '--bogus', 'build now', 'test it', '--purge --yes', 'uninstall --bogus']
for (const words of misuses)
  test(`'${words}' is wrong usage and does nothing`, () => {
    const { code, out, err } = install(words)
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 2, out: '', lines: 1 })
    expect(calls()).toBe('')
    expect(readdirSync(root)).toEqual([])
  })

test('build installs the locked packages and makes the executable', () => {
  expect(install('build').code).toBe(0)
  expect(calls()).toBe('bun --version\nbun install --frozen-lockfile\nbun run build\n')
  expect(existsSync(join(tree, 'dist/svc'))).toBe(true)
})

test('a failed build ends with one sentence', () => {
  const { code, err } = install('build', { STUB_BROKEN_BUILD: '1' })
  expect({ code, said: err.split('chatter\n').join('') }).toEqual({ code: 1, said: 'install.sh: The build failed.\n' })
})

test('demo passes its arguments on, and only the executable speaks on stdout', () => {
  expect(install('demo --json --port 0')).toMatchObject({ code: 0, out: 'svc demo --json --port 0\n' })
})

test('a missing Bun comes from npm, its install script not run, and stays in .tools', () => {
  rmSync(join(tools, 'bun'))
  expect(install('build').code).toBe(0)
  expect(calls()).toMatch(
    /npm install --prefix \S+\/tree\/.tools --no-save --ignore-scripts .*@oven\/bun-\S+@1\.4\.4\n/,
  )
  rmSync(join(home, 'calls'))
  expect(install('build').code).toBe(0)
  expect(calls()).not.toContain('npm')
})

test('a Bun of another version is left alone and 1.4 is fetched', () => {
  expect(install('build', { STUB_VERSION: '1.3.9' }).code).toBe(0)
  expect(calls()).toContain('npm install')
})

test('without Bun and npm the sentence says what to install', () => {
  for (const tool of ['bun', 'npm']) rmSync(join(tools, tool))
  const { code, err } = install('build')
  expect({ code, err }).toEqual({
    code: 1,
    err: 'install.sh: Building needs Bun 1.4, or npm to get it: install one of them and try again.\n',
  })
})

const endings: [name: string, env: Record<string, string>, last: string, code: number][] = [
  ['suites that pass', {}, '5 passed, 0 failed', 0],
  ['suites that fail', { STUB_TOTALS: '4 passed, 1 failed', STUB_CODE: '1' }, '4 passed, 1 failed', 1],
  ['suites that crash before their totals', { STUB_TOTALS: 'boom', STUB_CODE: '139' }, '0 passed, 1 failed', 1],
  ['a failed build', { STUB_BROKEN_BUILD: '1' }, '0 passed, 1 failed', 1],
]
for (const [name, env, last, code] of endings)
  test(`totals: ${name}`, () => {
    expect(install('test', env)).toMatchObject({ last, code })
  })

test('a signal to the script alone ends the suites, whose totals are the last line', async () => {
  const ran = Bun.spawn(['bash', join(tree, 'install.sh'), 'test'], {
    ...{ cwd: '/', stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' },
    env: { PATH: tools, SVC_INSTALL_ROOT: root, STUB_TOTALS: '5 passed, 0 failed', STUB_LONG: '1' },
  })
  while (!existsSync(join(home, 'begun'))) await Bun.sleep(20)
  ran.kill('SIGTERM')
  const out = await new Response(ran.stdout).text()
  expect([await ran.exited, out.trimEnd().split('\n').at(-1)]).toEqual([1, '3 passed, 1 failed'])
})

test('the suites try the executable that was just built', () => {
  expect(install('test').out).toContain(` executable=${tree}/dist/svc.\n`)
})

test('without PostgreSQL its tests are skipped, in one line, and added to what the caller skips', () => {
  const { out } = install('test', { SVC_TEST_SKIP: 'slow' })
  expect(out.match(/^Skipped: .*postgres/gm)).toHaveLength(1)
  expect(out).toContain('skip=slow,postgres postgres= ')
  expect(calls()).not.toContain('apt-get')
})

test('without Chromium its tests are skipped, in one line, and the suite on PostgreSQL is not', () => {
  Bun.spawnSync(['bash', '-c', postgresFolder('15')])
  rmSync(join(tools, 'chromium'))
  const { out, last } = install('test')
  expect(out.match(/^Skipped: .*chromium/gm)).toHaveLength(1)
  expect(out).toContain(`skip=chromium postgres=${root}/usr/lib/postgresql/15/bin chromium=.\n`)
  expect(last).toBe('5 passed, 0 failed')
  expect(calls()).not.toContain('apt-get')
})

test('the Chromium that is there, or is named, is offered to the tests', () => {
  expect(install('test').out).toContain(` chromium=${tools}/chromium.\n`)
  script(join(tools, 'chromium-headless-shell'), '')
  expect(install('test').out).toContain(` chromium=${tools}/chromium-headless-shell.\n`)
  script(join(home, 'browser'), '')
  const named = { SVC_TEST_CHROMIUM_BIN: join(home, 'browser') }
  expect(install('test', named).out).toContain(` chromium=${home}/browser.\n`)
})

test('in CI a missing Chromium is installed', () => {
  Bun.spawnSync(['bash', '-c', postgresFolder('15')])
  rmSync(join(tools, 'chromium'))
  const { code, out } = install('test', { CI: 'true' })
  expect([code, out.includes(` chromium=${tools}/chromium-headless-shell.\n`)]).toEqual([0, true])
  expect(aptCalls()).toMatch(/^apt-get .*update\napt-get .*install chromium-headless-shell$/)
})

test('where Debian has no Chromium without a window, the whole one is installed', () => {
  Bun.spawnSync(['bash', '-c', postgresFolder('15')])
  rmSync(join(tools, 'chromium'))
  const { code, out } = install('test', { CI: 'true', STUB_OLD_DEBIAN: '1' })
  expect([code, out.includes(` chromium=${tools}/chromium.\n`)]).toEqual([0, true])
  expect(aptCalls()).toMatch(/install chromium-headless-shell\napt-get .*install chromium$/)
})

test('Redis, or Valkey in its place, is offered to the tests; without both theirs are skipped, and in CI it is installed', () => {
  Bun.spawnSync(['bash', '-c', postgresFolder('15')])
  expect(install('test').out).toContain(`redis=${tools}/redis-server `)
  rmSync(join(tools, 'redis-server'))
  const { out } = install('test')
  expect(out.match(/^Skipped: .*redis/gm)).toHaveLength(1)
  expect(out).toContain('skip=redis ')
  expect(install('test', { CI: 'true' }).out).toContain(`redis=${tools}/redis-server `)
  expect(calls()).toMatch(/apt-get .*install redis-server\n/)
  rmSync(join(tools, 'redis-server'))
  script(join(tools, 'valkey-server'), '')
  expect(install('test').out).toContain(`redis=${tools}/valkey-server `)
})

test('without pebble its tests are skipped, and in CI it is installed', () => {
  Bun.spawnSync(['bash', '-c', postgresFolder('15')])
  rmSync(join(tools, 'pebble'))
  const { out } = install('test')
  expect(out.match(/^Skipped: .*pebble/gm)).toHaveLength(1)
  expect(out).toContain('skip=pebble ')
  expect(install('test', { CI: 'true' }).out).not.toContain('Skipped')
  expect(calls()).toMatch(/apt-get .*install pebble\n/)
})

test('the newest PostgreSQL is offered to the tests', () => {
  for (const version of ['9.6', '15', '14']) Bun.spawnSync(['bash', '-c', postgresFolder(version)])
  expect(install('test').out).toContain(`skip= postgres=${root}/usr/lib/postgresql/15/bin `)
})

test('in CI a missing PostgreSQL is installed', () => {
  const { code, out } = install('test', { CI: 'true' })
  expect({ code, found: out.includes(`postgres=${root}/usr/lib/postgresql/15/bin `) }).toEqual({
    code: 0,
    found: true,
  })
  expect(aptCalls()).toMatch(/^apt-get .*update\napt-get .*install postgresql$/)
})

test('in CI the lists of packages are read once for all missing parts', () => {
  for (const tool of ['chromium', 'redis-server', 'pebble']) rmSync(join(tools, tool))
  expect(install('test', { CI: 'true' }).last).toBe('5 passed, 0 failed')
  const wanted = [
    'update',
    'install postgresql',
    'install chromium-headless-shell',
    'install redis-server',
    'install pebble',
  ]
  expect(aptCalls()).toMatch(new RegExp(`^${wanted.map((one) => `apt-get .*${one}`).join('\n')}$`))
})

test('in CI a part that cannot be installed is a failure', () => {
  const { code, last, err } = install('test', { CI: 'true', STUB_BROKEN_APT: '1' })
  expect({ code, last }).toEqual({ code: 1, last: '0 passed, 1 failed' })
  expect(err).toContain('apt-get could not install postgresql.')
})

test('a dry run prints the steps and the unit, and changes nothing', () => {
  const { code, out } = install('--dry-run', { SVC_INSTALL_ROOT: '' })
  expect(code).toBe(0)
  const lines = [
    '+ build',
    '+ systemctl restart svc',
    '    ExecStart=/usr/local/bin/svc serve',
    '    ProtectSystem=strict',
    '    UMask=0077',
    '    LimitCORE=0',
  ]
  for (const line of lines) expect(out.split('\n')).toContain(line)
  expect(existsSync(join(tree, 'dist'))).toBe(false)
  expect(calls()).toBe('')
})

test('the server install asks, so without a terminal it needs --yes', () => {
  built()
  const { code, err } = install('')
  expect({ code, err }).toEqual({ code: 1, err: 'install.sh: There is no terminal to ask on: add --yes.\n' })
  expect(readdirSync(root)).toEqual([])
})

test('the server install lays out executable, data, settings and unit', () => {
  built()
  expect(install('--yes').code).toBe(0)
  expect(readdirSync(at('usr/local/bin'))).toEqual(['svc'])
  expect([mode('usr/local/bin/svc'), mode('var/lib/svc'), mode('etc/svc/svc.env')]).toEqual(['755', '700', '640'])
  expect(readFileSync(at('etc/systemd/system/svc.service'), 'utf8')).not.toContain(root)
  expect(calls()).toBe('')
})

test('a second install upgrades the executable and keeps settings and data', () => {
  built()
  install('--yes')
  writeFileSync(at('etc/svc/svc.env'), 'SVC_PORT=3100\n')
  writeFileSync(at('var/lib/svc/svc.db'), 'data')
  script(join(tree, 'dist/svc'), '#!/bin/bash\necho newer')
  expect(install('--yes').out).toContain('svc runs on http://127.0.0.1:3100')
  expect(readFileSync(at('usr/local/bin/svc'), 'utf8')).toContain('newer')
  expect(readFileSync(at('etc/svc/svc.env'), 'utf8')).toBe('SVC_PORT=3100\n')
  expect(readFileSync(at('var/lib/svc/svc.db'), 'utf8')).toBe('data')
})

test('the settings of an older installation become readable for the user svc, as commands read them', () => {
  built()
  install('--yes')
  chmodSync(at('etc/svc/svc.env'), 0o600)
  install('--yes')
  expect(mode('etc/svc/svc.env')).toBe('640')
  const { out } = install('--dry-run', { SVC_INSTALL_ROOT: '' })
  expect(out.split('\n')).toContain('+ chown root:svc /etc/svc/svc.env')
})

test('the executable looks for an installation where install.sh makes it', () => {
  const { out } = install('--dry-run', { SVC_INSTALL_ROOT: '' })
  expect(out).toContain(`+ write ${INSTALLATION.settingsFile}, mode 0640:`)
  expect(out.split('\n')).toContain(`+ chown svc:svc ${INSTALLATION.dataDir}`)
  expect(out.split('\n')).toContain(`    User=${INSTALLATION.user}`)
})

/** An archive of a release beside install.sh, as a person would have got it. */
function archived(name: string, program: string, { digest = '' } = {}): void {
  const folder = mkdtempSync(join(home, 'archive-'))
  script(join(folder, 'svc'), program)
  const file = join(tree, name)
  Bun.spawnSync({ cmd: ['tar', '-czf', file, 'svc'], cwd: folder })
  const found = new Bun.CryptoHasher('sha256').update(readFileSync(file)).digest('hex')
  writeFileSync(join(tree, 'SHA256SUMS'), `${digest || found}  ${name}\n`, { flag: 'a' })
}

const THIS = releaseName()
/** How a release names this machine. */
function releaseName(): string {
  const libc = Bun.spawnSync({ cmd: ['ldd', '--version'] })
  const isMusl = `${libc.stdout}${libc.stderr}`.includes('musl')
  return `linux-${process.arch}${isMusl ? '-musl' : ''}`
}

test('an archive of a release beside install.sh is installed instead of building, and no later build stays in its way', () => {
  built()
  archived(`svc-1.9.0-${THIS}.tar.gz`, '#!/bin/bash\necho nine')
  archived(`svc-1.10.0-${THIS}.tar.gz`, '#!/bin/bash\necho ten')
  expect(install('--yes')).toMatchObject({ code: 0 })
  expect(calls()).toBe('')
  expect(readFileSync(at('usr/local/bin/svc'), 'utf8')).toContain('echo ten')
  expect(install('--dry-run').out.split('\n')).toContain('+ unpack')
})

test('demo takes the archive too, and an archive for another machine is left alone', () => {
  archived(`svc-1.0.0-${THIS}.tar.gz`, STUB_SVC)
  archived('svc-2.0.0-darwin-x64.tar.gz', '#!/bin/bash\necho other')
  expect(install('demo --port 0')).toMatchObject({ code: 0, out: 'svc demo --port 0\n' })
  expect(calls()).toBe('')
  rmSync(join(tree, `svc-1.0.0-${THIS}.tar.gz`))
  expect(install('demo --port 0')).toMatchObject({ code: 0, out: 'svc demo --port 0\n' })
  expect(calls()).toContain('bun run build')
})

test('an archive whose digest is another one, or is not known, is not unpacked', () => {
  const name = `svc-1.0.0-${THIS}.tar.gz`
  archived(name, STUB_SVC, { digest: '0'.repeat(64) })
  const refused = (why: string) => {
    expect(install('--yes')).toMatchObject({ code: 1, err: `install.sh: ${why}\n` })
    expect([readdirSync(root), existsSync(join(tree, 'dist'))]).toEqual([[], false])
  }
  refused(`${name} does not have the digest in SHA256SUMS: get both again.`)
  writeFileSync(join(tree, 'SHA256SUMS'), `${'0'.repeat(64)}  svc-1.0.0-other.tar.gz\n`)
  refused(`SHA256SUMS does not name ${name}: it is of another release.`)
  rmSync(join(tree, 'SHA256SUMS'))
  refused(`SHA256SUMS of the release is not beside ${name}, so its digest cannot be compared.`)
})

test('a release is built from the locked packages, for the machines that are named', () => {
  expect(install('release linux-arm64').code).toBe(0)
  expect(calls()).toEqual(expect.stringMatching(/\nbun run build\nbun src\/build-release.ts linux-arm64\n$/))
})

test('an executable older than its sources is built again', () => {
  built()
  mkdirSync(join(tree, 'src'))
  utimesSync(join(tree, 'dist/svc'), 0, 0)
  install('--yes')
  expect(calls()).toContain('bun run build')
})

test('an executable that does not run here is not installed', () => {
  built()
  script(join(tree, 'dist/svc'), '#!/bin/bash\nexit 127')
  expect(install('--yes')).toMatchObject({ code: 1, err: 'install.sh: dist/svc does not run on this machine.\n' })
  expect(readdirSync(root)).toEqual([])
})

test('uninstall keeps the data; with --purge nothing of svc is left', () => {
  built()
  install('--yes')
  expect(install('uninstall').code).toBe(1)
  expect(install('uninstall --dry-run').code).toBe(0)
  expect(existsSync(at('usr/local/bin/svc'))).toBe(true)
  expect(install('uninstall --yes').code).toBe(0)
  const left = () =>
    ['usr/local/bin/svc', 'etc/systemd/system/svc.service', 'etc/svc/svc.env', 'var/lib/svc'].map((path) =>
      existsSync(at(path)),
    )
  expect(left()).toEqual([false, false, true, true])
  expect(install('uninstall --purge --yes').code).toBe(0)
  expect(left()).toEqual([false, false, false, false])
  expect(install('uninstall --yes').out).toBe('svc is not installed on this machine.\n')
})

test('the settings file offers every variable that the configuration reads, all commented out', () => {
  built()
  install('--yes')
  const settings = readFileSync(at('etc/svc/svc.env'), 'utf8')
  expect(settings.match(/^[^#\n]/m)).toBeNull()
  const read = Object.keys(VARIABLES)
  for (const name of read) expect(settings).toContain(`#${name}=`)
  // It also names no variable that is not read: a setting without effect is misleading.
  for (const [, name] of settings.matchAll(/^#([A-Z_]+)=/gm)) expect(read).toContain(name ?? '')
})
