import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'

// Says where the stack of a log line is in the source: `bun src/trace.ts dist/svc.map < LINES`. The maps must be of the
// build that wrote the line.

const POSITION = /[^\s(]*\$bunfs\/root\/(?:[^:\s]*\/)?([^:\s/]+):(\d+):(\d+)/g

/** The source maps of the parts of an executable, by the names of their files. */
export type Maps = ReadonlyMap<string, SourceMap>

export function readMaps(path: string): Maps {
  const payloads: Record<string, SourceMapPayload> = JSON.parse(readFileSync(path, 'utf8'))
  return new Map(Object.entries(payloads).map(([name, payload]) => [name, new SourceMap(payload)]))
}

/** A text with each position in the executable replaced by that in the source. */
export function traced(text: string, maps: Maps): string {
  return text.replace(POSITION, (position, file, line, column) => {
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return position
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

function main(path: string | undefined): void {
  if (path === undefined) throw new Error('Give the path of the map: bun src/trace.ts dist/svc.map < LINES')
  process.stdout.write(traced(readFileSync(0, 'utf8'), readMaps(path)))
}

if (import.meta.main) main(process.argv[2])
