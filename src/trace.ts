import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'

// Says where the stack of a log line is in the source: `bun src/trace.ts dist/svc.map < LINES`. The map must be of the
// build that wrote the line.

const POSITION = /[^\s(]*\$bunfs\/root\/[^:\s]+:(\d+):(\d+)/g

/** A text with each position in the executable replaced by that in the source. */
export function traced(text: string, map: SourceMap): string {
  return text.replace(POSITION, (position, line, column) => {
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1)
    if (!('originalSource' in entry)) return position
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

function main(path: string | undefined): void {
  if (path === undefined) throw new Error('Give the path of the map: bun src/trace.ts dist/svc.map < LINES')
  process.stdout.write(traced(readFileSync(0, 'utf8'), new SourceMap(JSON.parse(readFileSync(path, 'utf8')))))
}

if (import.meta.main) main(process.argv[2])
