import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  afterFailure,
  beginCall,
  CircuitBreaker,
  type CircuitState,
  FAILURES_TO_OPEN,
  NEW_CIRCUIT,
  OPEN_MS,
  throughCircuit,
} from './circuit'
import { SECOND } from './clock'

const NOW = Date.UTC(2026, 10, 20, 8)
const SEED = 20261120

/** A breaker that has counted this many failures in a row at NOW. */
function failed(times: number): CircuitBreaker {
  const breaker = new CircuitBreaker()
  for (let count = 0; count < times; count++) {
    breaker.tryBegin(NOW)
    breaker.fail(NOW)
  }
  return breaker
}

test('a new circuit is closed and has no last success', () => {
  const breaker = new CircuitBreaker()
  expect([breaker.statusAt(NOW), breaker.tryBegin(NOW), breaker.openForMs(NOW)]).toEqual(['CLOSED', true, 0])
  expect(breaker.lastOkAt).toBeNull()
})

test('four failures in a row leave it closed', () => {
  const breaker = failed(4)
  expect([breaker.statusAt(NOW), breaker.tryBegin(NOW)]).toEqual(['CLOSED', true])
})

test('the fifth failure in a row opens it', () => {
  const breaker = failed(5)
  expect([breaker.statusAt(NOW), breaker.tryBegin(NOW), breaker.openForMs(NOW)]).toEqual(['OPEN', false, 60 * SECOND])
})

test('a success in between begins the count anew', () => {
  const breaker = failed(4)
  breaker.succeed(NOW)
  for (let count = 0; count < 4; count++) breaker.fail(NOW)
  expect(breaker.statusAt(NOW)).toBe('CLOSED')
  expect(breaker.lastOkAt).toBe(NOW)
})

test('a millisecond before the minute it is still open, at the minute half-open', () => {
  const breaker = failed(5)
  expect([breaker.tryBegin(NOW + OPEN_MS - 1), breaker.openForMs(NOW + OPEN_MS - 1)]).toEqual([false, 1])
  expect([breaker.statusAt(NOW + OPEN_MS), breaker.openForMs(NOW + OPEN_MS)]).toEqual(['HALF_OPEN', 0])
})

test('half-open lets one call through and no second', () => {
  const breaker = failed(5)
  expect(breaker.tryBegin(NOW + OPEN_MS)).toBe(true)
  expect(breaker.tryBegin(NOW + OPEN_MS)).toBe(false)
  expect(breaker.openForMs(NOW + OPEN_MS)).toBe(OPEN_MS)
})

test('the trial call closes it when it goes well', () => {
  const breaker = failed(5)
  breaker.tryBegin(NOW + OPEN_MS)
  breaker.succeed(NOW + OPEN_MS + 1)
  expect(breaker.statusAt(NOW + OPEN_MS + 1)).toBe('CLOSED')
  expect(breaker.lastOkAt).toBe(NOW + OPEN_MS + 1)
})

test('the trial call opens it for another minute when it fails', () => {
  const breaker = failed(5)
  breaker.tryBegin(NOW + OPEN_MS)
  breaker.fail(NOW + OPEN_MS + 8)
  expect(breaker.statusAt(NOW + OPEN_MS + 8)).toBe('OPEN')
  expect(breaker.tryBegin(NOW + 2 * OPEN_MS + 7)).toBe(false)
  expect(breaker.tryBegin(NOW + 2 * OPEN_MS + 8)).toBe(true)
})

test('a failure that comes in late does not lengthen the rest', () => {
  const breaker = failed(5)
  breaker.fail(NOW + 7 * SECOND)
  expect(breaker.statusAt(NOW + OPEN_MS)).toBe('HALF_OPEN')
})

test('a success that comes in late closes it', () => {
  const breaker = failed(5)
  breaker.succeed(NOW + 7 * SECOND)
  expect(breaker.tryBegin(NOW + 7 * SECOND)).toBe(true)
})

test('a trial call that never reports its end is forgotten after a minute', () => {
  const breaker = failed(5)
  breaker.tryBegin(NOW + OPEN_MS)
  expect(breaker.tryBegin(NOW + 2 * OPEN_MS - 1)).toBe(false)
  expect(breaker.tryBegin(NOW + 2 * OPEN_MS)).toBe(true)
})

test('a clock set back does not keep it open', () => {
  expect(failed(5).tryBegin(NOW - OPEN_MS)).toBe(true)
})

test('the last success outlives failures', () => {
  const breaker = new CircuitBreaker()
  breaker.succeed(NOW)
  for (let count = 0; count < 9; count++) breaker.fail(NOW + 1)
  expect(breaker.lastOkAt).toBe(NOW)
})

test('the state machine changes no state it was given', () => {
  const state: CircuitState = Object.freeze({ ...NEW_CIRCUIT, failures: 4 })
  afterFailure(state, NOW)
  beginCall(Object.freeze(afterFailure(state, NOW)), NOW + OPEN_MS)
  expect(state.failures).toBe(4)
})

test('calls are let through exactly while fewer than five in a row have failed, or one a minute', () => {
  const steps = fc.array(fc.record({ wait: fc.nat(90), isGood: fc.boolean() }), { maxLength: 60 })
  const property = fc.property(steps, (calls) => {
    const breaker = new CircuitBreaker()
    let now = NOW
    let inARow = 0
    let restsUntil = 0
    for (const { wait, isGood } of calls) {
      now += wait * SECOND
      const mayCall = inARow < FAILURES_TO_OPEN || now >= restsUntil
      expect(breaker.tryBegin(now)).toBe(mayCall)
      expect(breaker.openForMs(now) > 0 && mayCall && inARow < FAILURES_TO_OPEN).toBe(false)
      if (!mayCall) continue
      if (isGood) breaker.succeed(now)
      else breaker.fail(now)
      inARow = isGood ? 0 : inARow + 1
      restsUntil = now + OPEN_MS
    }
  })
  fc.assert(property, { seed: SEED, numRuns: 500 })
})

test('a guarded call tells the circuit how it ended, also when it throws', async () => {
  const circuit = new CircuitBreaker()
  const clock = { now: () => NOW }
  const guarded = { circuit, clock, whenOpen: 'open', isOutage: (result: string) => result === 'away' }
  const broken = () => Promise.reject(new Error('no answer'))
  for (let count = 0; count < 4; count++) await expect(throughCircuit(guarded, broken)).rejects.toThrow('no answer')
  expect(await throughCircuit(guarded, async () => 'refused')).toBe('refused')
  expect(circuit.state.failures).toBe(0)
  let calls = 0
  const away = async () => {
    calls++
    return 'away'
  }
  for (let count = 0; count < FAILURES_TO_OPEN; count++) expect(await throughCircuit(guarded, away)).toBe('away')
  expect(await throughCircuit(guarded, away)).toBe('open')
  expect(calls).toBe(FAILURES_TO_OPEN)
})
