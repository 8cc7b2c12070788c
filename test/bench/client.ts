import { type Child, startYardstick } from './children'
import { isClean, runLoad } from './load'
import { alternate, runRound } from './measure'
import { loadRow, type Row, toFigure } from './report'
import { inCircles, once, toRequest } from './requests'

const REQUEST = toRequest('GET', '/', {})
const COUNTED = 1000

/**
 * Checks the load client: it must count correctly, and keep the server of the empty route busy. Its own maximum is
 * measured against a server that does nothing but answer. On a machine with other work neither figure is valid.
 */
export async function checkClient(yardstick: Child, rounds: number, seconds: number): Promise<Row[]> {
  await expectCount(yardstick)
  const canned = await startYardstick('canned')
  const load = { next: inCircles([REQUEST]), durationMs: seconds * 1000 }
  const { ceiling, empty } = await alternate(rounds, {
    ceiling: () => runRound(canned, load),
    empty: () => runRound(yardstick, load),
  })
  await canned.stop()
  return [
    loadRow('load client, canned answers (yardstick: empty Elysia route)', ceiling, toFigure(empty), null),
    ...(empty.cores === null ? [] : [busyRow(empty.cores)]),
  ]
}

const busyRow = (cores: number): Row => ({
  what: 'load client, how busy it keeps the server of the empty Elysia route',
  result: { value: cores, unit: 'cores' },
  yardstick: null,
  aim: { of: 'result', is: 'at least', value: 0.9 },
})

async function expectCount({ url }: Child): Promise<void> {
  const requests = Array.from({ length: COUNTED }, () => REQUEST)
  const outcome = await runLoad({ url, connections: 7, next: once(requests) })
  if (!isClean(outcome) || outcome.answers !== COUNTED)
    throw new Error(`${COUNTED} requests gave ${JSON.stringify(outcome)}`)
}
