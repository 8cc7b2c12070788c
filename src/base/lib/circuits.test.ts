import { describe, expect, test } from 'bun:test'
import { CircuitBreaker } from './circuit'
import { CircuitBoard } from './circuits'
import { HOUR, MINUTE } from './clock'

const NOW = Date.UTC(2026, 10, 20, 8)

/** A board with circuits of one store: each had a success or five failures at NOW, or was never used. */
function boardOf(...circuits: [how: 'ok' | 'failing' | 'unused', isSandbox?: boolean][]): CircuitBoard {
  const board = new CircuitBoard()
  for (const [index, [how, isSandbox = false]] of circuits.entries()) {
    const circuit = new CircuitBreaker()
    if (how === 'ok') circuit.succeed(NOW)
    if (how === 'failing') for (let count = 0; count < 5; count++) circuit.fail(NOW)
    board.put(String(index), { store: 'S', isSandbox, circuit })
  }
  return board
}

describe('the health of a store', () => {
  const cases: [fact: string, board: CircuitBoard, at: number, circuit: string, lastOkAt: number | null][] = [
    ['that nobody has asked is closed', boardOf(), NOW, 'CLOSED', null],
    ['of circuits not used yet is closed', boardOf(['unused']), NOW, 'CLOSED', null],
    ['that answers is closed', boardOf(['ok']), NOW, 'CLOSED', NOW],
    ['is the worst of its circuits', boardOf(['ok'], ['failing'], ['unused']), NOW, 'OPEN', NOW],
    ['is half open after a minute', boardOf(['failing']), NOW + MINUTE, 'HALF_OPEN', null],
    ['forgets after an hour what nobody has tried since', boardOf(['failing']), NOW + HOUR, 'CLOSED', null],
    ['does not care for its sandbox', boardOf(['ok'], ['failing', true]), NOW, 'CLOSED', NOW],
    ['is that of its sandbox when nothing else was asked', boardOf(['unused'], ['failing', true]), NOW, 'OPEN', null],
  ]
  for (const [fact, board, at, circuit, lastOkAt] of cases)
    test(fact, () => expect(board.healthOf('S', at)).toEqual({ store: 'S', circuit: circuit as never, lastOkAt }))

  test('is not that of another store', () =>
    expect(boardOf(['failing']).healthOf('T', NOW)).toEqual({ store: 'T', circuit: 'CLOSED', lastOkAt: null }))

  test('is that of the newest circuit of a name', () => {
    const board = boardOf(['failing'])
    board.put('0', { store: 'S', isSandbox: false, circuit: new CircuitBreaker() })
    expect(board.healthOf('S', NOW).circuit).toBe('CLOSED')
  })
})
