import type { CharTest } from './classes'
import { type Assertion, PatternFault, type PatternNode } from './parse'

/** Instructions of a pattern; a number is the index of the next one. */
export type Instruction =
  | { kind: 'CHAR'; test: CharTest }
  | { kind: 'ASSERT'; assertion: Assertion }
  | { kind: 'SPLIT'; to: number; other: number }
  | { kind: 'JUMP'; to: number }
  | { kind: 'DONE' }

/** With every repetition written out. It bounds the time for each character of a text. */
export const MAX_INSTRUCTIONS = 1500

/** The instructions of a pattern, each followed by the next one unless it says otherwise. */
export function programOf(node: PatternNode): Instruction[] {
  const program: Instruction[] = []
  write(program, node)
  add(program, { kind: 'DONE' })
  return program
}

function add(program: Instruction[], instruction: Instruction): number {
  if (program.length >= MAX_INSTRUCTIONS) throw new PatternFault('is too large once its repetitions are written out')
  return program.push(instruction) - 1
}

function write(program: Instruction[], node: PatternNode): void {
  switch (node.kind) {
    case 'SEQUENCE':
      for (const part of node.parts) write(program, part)
      return
    case 'CHOICE':
      writeChoice(program, node.parts)
      return
    case 'REPEAT':
      writeRepeat(program, node)
      return
    default:
      add(program, node)
  }
}

function writeChoice(program: Instruction[], parts: readonly PatternNode[]): void {
  const ends: number[] = []
  for (const part of parts.slice(0, -1)) {
    const split = add(program, { kind: 'JUMP', to: 0 })
    write(program, part)
    ends.push(add(program, { kind: 'JUMP', to: 0 }))
    program[split] = { kind: 'SPLIT', to: split + 1, other: program.length }
  }
  const last = parts.at(-1)
  if (last) write(program, last)
  for (const end of ends) program[end] = { kind: 'JUMP', to: program.length }
}

function writeRepeat(program: Instruction[], { part, min, max }: Extract<PatternNode, { kind: 'REPEAT' }>): void {
  for (let count = 0; count < min; count++) write(program, part)
  if (max === Number.POSITIVE_INFINITY) {
    const split = add(program, { kind: 'JUMP', to: 0 })
    write(program, part)
    add(program, { kind: 'JUMP', to: split })
    program[split] = { kind: 'SPLIT', to: split + 1, other: program.length }
    return
  }
  const splits: number[] = []
  for (let count = min; count < max; count++) {
    splits.push(add(program, { kind: 'JUMP', to: 0 }))
    write(program, part)
  }
  for (const split of splits) program[split] = { kind: 'SPLIT', to: split + 1, other: program.length }
}
