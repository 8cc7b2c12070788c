import { describe, expect, test } from 'bun:test'
import { CommandFailure } from '../../base/cli/command'
import { causeOf } from '../../people/events/model'
import { type Attempt, type AttemptReport, type Listening, listen } from './run'
import { type EventPage, type EventSource, type FeedStart, SourceAway } from './source'

type Answer = EventPage | Error

const event = (seq: number, subscriberId: string | null = 'sub_ada'): EventPage['events'][number] => ({
  position: 0,
  id: `evt_${subscriberId}_${seq}`,
  projectId: 'prj_1',
  subscriberId,
  seq,
  type: 'purchase.renewed',
  appUserId: null,
  environment: 'PRODUCTION',
  occurredAt: 1000 + seq,
  recordedAt: 2000 + seq,
  cause: causeOf('CLI', null),
  before: {},
  after: {},
  data: {},
})

const OK: Attempt = { statusCode: 204, durationMs: 1, error: null, isFinal: true }
const BROKEN: Attempt = { statusCode: 500, durationMs: 1, error: 'boom', isFinal: false }
const GONE: Attempt = { ...BROKEN, statusCode: 410, isFinal: true }

const page = (cursor: string, ...events: EventPage['events']): EventPage => ({ cursor, events })

/** Listens to prepared answers, and stops when they are used up. */
class Bench {
  readonly sent: string[] = []
  readonly reports: AttemptReport[] = []
  readonly said: string[] = []
  readonly places: FeedStart[] = []
  readonly waits: number[] = []
  readonly waitsFor: number[] = []
  private readonly stop = new AbortController()

  constructor(
    private readonly answers: Answer[],
    private readonly respond: (id: string, times: number) => Attempt | Promise<Attempt> = () => OK,
  ) {}

  end(): void {
    this.stop.abort()
  }

  run(parts: Partial<Listening> = {}) {
    return listen({ ...this.parts(), ...parts })
  }

  private parts(): Listening {
    return {
      source: this.source(),
      start: { since: 7 },
      first: page('c0'),
      deliver: async ({ id }) => {
        this.sent.push(id)
        return this.respond(id, this.sent.filter((one) => one === id).length)
      },
      report: {
        attempted: (attempt) => void this.reports.push(attempt),
        away: (sentence) => void this.said.push(sentence),
        back: () => void this.said.push('back'),
      },
      wait: async (ms) => void this.waits.push(ms),
      stop: this.stop.signal,
    }
  }

  private source(): EventSource {
    return {
      project: 'sleep-app',
      secret: async () => null,
      next: async (start, waitMs) => {
        this.places.push(start)
        this.waitsFor.push(waitMs)
        const answer = this.answers.shift()
        if (answer instanceof Error) throw answer
        if (answer) return answer
        this.end()
        return page('unused')
      },
    }
  }
}

describe('svc listen', () => {
  test('reads on from the cursor of the page before, and counts', async () => {
    const bench = new Bench([page('c1', event(1), event(2)), page('c2'), page('c3', event(3))])
    expect(await bench.run()).toEqual({ delivered: 3, failed: 0, end: { cursor: 'c3' } })
    expect(bench.places).toEqual(['c0', 'c1', 'c2', 'c3'].map((cursor) => ({ cursor })))
    expect(bench.sent).toEqual(['evt_sub_ada_1', 'evt_sub_ada_2', 'evt_sub_ada_3'])
    expect(bench.said).toEqual([])
  })

  test('repeats a failed delivery three times, then goes on with the next event of that subscriber', async () => {
    const bench = new Bench([page('c1', event(1), event(2))], (id) => (id.endsWith('1') ? BROKEN : OK))
    expect(await bench.run()).toEqual({ delivered: 1, failed: 1, end: { cursor: 'c1' } })
    expect(bench.sent).toEqual([...Array(4).fill('evt_sub_ada_1'), 'evt_sub_ada_2'])
    expect(bench.reports.map(({ attempt, nextInMs }) => [attempt, nextInMs])).toEqual([
      [1, 500],
      [2, 1000],
      [3, 2000],
      [4, null],
      [1, null],
    ])
    expect(bench.waits).toEqual([500, 1000, 2000])
  })

  test('a repetition that succeeds is a delivery, and 410 is never repeated', async () => {
    const bench = new Bench([page('c1', event(1), event(2))], (id, times) =>
      id.endsWith('2') ? GONE : times < 3 ? BROKEN : OK,
    )
    expect(await bench.run()).toMatchObject({ delivered: 1, failed: 1 })
    expect(bench.sent).toEqual([...Array(3).fill('evt_sub_ada_1'), 'evt_sub_ada_2'])
  })

  test('one subscriber waits for another one never, and for itself always', async () => {
    const held = Promise.withResolvers<Attempt>()
    const events = [event(1), event(2), event(1, 'sub_bo'), event(2, 'sub_bo'), event(1, null)]
    const bench = new Bench([page('c1', ...events)], (id) => (id === 'evt_sub_ada_1' ? held.promise : OK))
    const running = bench.run()
    while (bench.sent.length < 4) await new Promise(setImmediate)
    expect(bench.sent.toSorted()).toEqual(['evt_null_1', 'evt_sub_ada_1', 'evt_sub_bo_1', 'evt_sub_bo_2'])
    held.resolve(OK)
    expect(await running).toMatchObject({ delivered: 5 })
    expect(bench.sent.at(-1)).toBe('evt_sub_ada_2')
  })

  test('at most four subscribers are served at once', async () => {
    let [running, most] = [0, 0]
    const events = Array.from({ length: 12 }, (_, index) => event(1, `sub_${index}`))
    const bench = new Bench([page('c1', ...events)], async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      return OK
    })
    expect(await bench.run()).toMatchObject({ delivered: 12 })
    expect(most).toBe(4)
  })

  test('a source that is away is said once, asked again from the same place, and neither skips nor repeats', async () => {
    const away = () => new SourceAway('It is away.')
    const bench = new Bench([page('c1', event(1)), away(), away(), away(), page('c2', event(2)), away()])
    expect(await bench.run()).toEqual({ delivered: 2, failed: 0, end: { cursor: 'c2' } })
    expect(bench.sent).toEqual(['evt_sub_ada_1', 'evt_sub_ada_2'])
    expect(bench.said).toEqual(['It is away.', 'back', 'It is away.', 'back'])
    expect(bench.places.slice(1, 5)).toEqual(Array(4).fill({ cursor: 'c1' }))
    expect(bench.waits).toEqual([1000, 2000, 4000, 1000])
    // A source that is back says so at once.
    expect(bench.waitsFor.slice(1, 5)).toEqual([25_000, 0, 0, 0])
  })

  test('the pause between questions ends at half a minute, and the source may ask for a longer one', async () => {
    const answers = [...Array(7).fill(new SourceAway('Away.')), new SourceAway('Too many.', 90_000), page('c1')]
    const bench = new Bench(answers)
    await bench.run()
    expect(bench.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 90_000])
  })

  test('any other failure of the source ends it', async () => {
    const refused = new CommandFailure('UNAUTHORIZED', 'no')
    const bench = new Bench([page('c1', event(1)), refused])
    await expect(bench.run()).rejects.toBe(refused)
    expect([bench.sent, bench.waits]).toEqual([['evt_sub_ada_1'], []])
  })

  test('a stop in the middle of a page leaves the place before that page, and says nothing of what it cut off', async () => {
    const bench: Bench = new Bench([page('c1', event(1)), page('c2', event(2), event(3), event(4))], (id) => {
      if (id !== 'evt_sub_ada_3') return OK
      bench.end()
      return BROKEN
    })
    expect(await bench.run()).toEqual({ delivered: 2, failed: 0, end: { cursor: 'c1' } })
    expect(bench.sent).toEqual(['evt_sub_ada_1', 'evt_sub_ada_2', 'evt_sub_ada_3'])
    expect(bench.reports.every(({ error }) => error === null)).toBe(true)
  })

  test('what was delivered at the very moment of the stop counts', async () => {
    const bench: Bench = new Bench([page('c1', event(1))], () => {
      bench.end()
      return OK
    })
    expect(await bench.run()).toEqual({ delivered: 1, failed: 0, end: { cursor: 'c1' } })
    expect(bench.reports).toHaveLength(1)
  })

  test('a stop while nothing happens keeps the newest place', async () => {
    const bench = new Bench([])
    expect(await bench.run()).toEqual({ delivered: 0, failed: 0, end: { cursor: 'c0' } })
  })
})
