/** How many tests of a run passed, failed and were skipped. */
export interface Totals {
  passed: number
  failed: number
  skipped: number
}

const END_LINES = 12
const SHOWN_LINES = 40

/**
 * The totals of a run of the test runner, read from its output. The runner ends with lines like ` 12 pass`; only the end
 * is read, because a test may print similar lines. A run that failed without a failed test counts as one failure, and so
 * does a run without tests.
 */
export function totalsOf(output: string, code: number): Totals {
  const end = output.trimEnd().split('\n').slice(-END_LINES)
  const count = (word: string): number =>
    Number(
      end
        .findLast((line) => new RegExp(`^ *\\d+ ${word}$`).test(line))
        ?.trim()
        .split(' ')[0] ?? 0,
    )
  const [passed, failed] = [count('pass'), count('fail')]
  const hasFailedOtherwise = failed === 0 && (code !== 0 || passed === 0)
  return { passed, failed: hasFailedOtherwise ? 1 : failed, skipped: count('skip') + count('todo') }
}

/**
 * What a reader needs of a run that failed: up to 40 lines before each failed test, and what was thrown outside of tests.
 * When there is neither, the end of the output. The runner's own list of failed tests is left out.
 */
export function troubleOf(output: string): string {
  const shown: string[] = []
  let kept: string[] = []
  let isOutside = false
  const show = () => shown.push(...kept.slice(-SHOWN_LINES))
  for (const line of output.trimEnd().split('\n')) {
    if (/^\d+ tests? failed:$/.test(line)) break
    if (line.startsWith('# Unhandled error')) isOutside = true
    const isEnd = /^\((pass|skip|todo|fail)\)/.test(line)
    if (!isEnd || line.startsWith('(fail)')) kept.push(line)
    if (line.startsWith('(fail)') || (isEnd && isOutside)) show()
    if (isEnd) [kept, isOutside] = [[], false]
  }
  if (isOutside || shown.length === 0) show()
  return shown.join('\n')
}
