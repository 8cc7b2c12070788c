import { planParts } from './plan'
import { runSuites } from './run'

// Runs every check and every suite; ./install.sh test calls it after the build. Before a release, with
// SVC_TEST_RELEASE=1, everything that can run on PostgreSQL runs there too.

const { SVC_TEST_RELEASE, SVC_TEST_SKIP } = process.env
const stopper = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopper.abort())
// Nothing is left behind when what has started the run is killed without a signal to it.
const parent = process.ppid
const watch = setInterval(() => process.ppid !== parent && stopper.abort(), 1000)

const failed = await runSuites(
  planParts({ isRelease: SVC_TEST_RELEASE === '1', skipped: SVC_TEST_SKIP?.split(',') ?? [] }),
  {
    write: (text) => void process.stdout.write(text),
    // Tests wait about half of their time, so twice as many parts as processors keep all of them busy.
    atOnce: 2 * navigator.hardwareConcurrency,
    stop: stopper.signal,
  },
)
clearInterval(watch)
process.exitCode = failed === 0 ? 0 : 1
