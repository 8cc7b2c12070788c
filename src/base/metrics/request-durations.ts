const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const NAME = 'http_server_request_duration_seconds'

interface Cell {
  labels: string
  /** The count of each bucket, not cumulative. Durations above the last bucket are only in `count`. */
  counts: number[]
  sum: number
  count: number
}

/**
 * The histogram of all requests in the format of Prometheus. It is written by hand because it runs for every response,
 * and the client library needs two microseconds for its labels.
 */
export class RequestDurations {
  /** By route, then by status and method. A known combination creates no new string. */
  private readonly cells = new Map<string, Map<number | string, Cell>>()

  observe(method: string, route: string, status: number | string, seconds: number): void {
    const key = method === 'GET' ? status : `${method} ${status}`
    const cell = this.cells.get(route)?.get(key) ?? this.open(key, method, route, status)
    const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound)
    if (bucket !== -1) cell.counts[bucket] = (cell.counts[bucket] ?? 0) + 1
    cell.sum += seconds
    cell.count++
  }

  /** All requests since the process started. */
  total(): number {
    let total = 0
    for (const cells of this.cells.values()) for (const { count } of cells.values()) total += count
    return total
  }

  text(): string {
    const head = `# HELP ${NAME} Duration of HTTP requests by method, route template and status\n# TYPE ${NAME} histogram`
    return [head, ...[...this.cells.values()].flatMap((cells) => [...cells.values()].flatMap(linesOf))].join('\n')
  }

  private open(key: number | string, method: string, route: string, status: number | string): Cell {
    const labels = `method="${quoted(method)}",route="${quoted(route)}",status="${status}"`
    const cell = { labels, counts: BUCKETS_SECONDS.map(() => 0), sum: 0, count: 0 }
    const cells = this.cells.get(route) ?? new Map<number | string, Cell>()
    this.cells.set(route, cells.set(key, cell))
    return cell
  }
}

function linesOf({ labels, counts, sum, count }: Cell): string[] {
  let below = 0
  const buckets = BUCKETS_SECONDS.map((bound, index) => {
    below += counts[index] ?? 0
    return `${NAME}_bucket{le="${bound}",${labels}} ${below}`
  })
  const all = `${NAME}_bucket{le="+Inf",${labels}} ${count}`
  return [...buckets, all, `${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${count}`]
}

const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
