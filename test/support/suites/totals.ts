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

/**
 * The failed tests of a run as lines of file and name. For a run that failed otherwise, a line says so: with the file that
 * ran when something was thrown outside of tests, else with the group alone.
 */
export function failuresOf(output: string, group: string): string[] {
  const failures: string[] = []
  let file = group
  for (const line of output.trimEnd().split('\n')) {
    if (/^\d+ tests? failed:$/.test(line)) break
    file = /^(\S+\.test\.tsx?):$/.exec(line)?.[1] ?? file
    if (line.startsWith('# Unhandled error')) failures.push(`${file}: an error outside of the tests`)
    if (line.startsWith('(fail) ')) failures.push(`${file}: ${nameIn(line)}`)
  }
  return failures.length > 0 ? failures : [`${group}: failed without a failed test`]
}

/** Without the time that the test took. */
const nameIn = (line: string): string => line.slice('(fail) '.length).replace(/ \[[\d.]+ ?m?s\]$/, '')

/** The first lines of many, and how many are left out. */
export const firstOf = (lines: readonly string[], most: number): string[] =>
  lines.length <= most ? [...lines] : [...lines.slice(0, most), `and ${lines.length - most} more`]
