import { type Assertion, PatternFault, parsePattern } from './parse'
import { type Instruction, MAX_INSTRUCTIONS, programOf } from './program'

export const MAX_PATTERN = 200
/** A text of so many characters is searched to its end by every pattern. Values of attributes are not longer. */
const MAX_ANY_PATTERN = 500
/** The most work of one search; only the text of the value of a flag is long enough for more. */
const MAX_PLACES = MAX_INSTRUCTIONS * (MAX_ANY_PATTERN + 1)

/** `steps`: the most work for each character of a text. */
export type CompiledPattern =
  | { ok: true; isIn: (text: string) => boolean; steps: number }
  | { ok: false; message: string }

/**
 * A regular expression of the language of RE2 that is found anywhere in a text. It keeps all places of the pattern that
 * fit so far, so that the time grows with the length of the text and no text makes it worse; therefore there is no
 * looking around and no reference back to a group. In a long text, a pattern that fits at many places at once is given up
 * after a fixed number of them, and is not found: every request waits for a search. The message of a refusal is the end
 * of a sentence.
 */
export function compilePattern(source: string, ignoresCase: boolean): CompiledPattern {
  if (source.length > MAX_PATTERN)
    return { ok: false, message: `must have at most ${MAX_PATTERN} characters, and has ${source.length}` }
  try {
    const program = programOf(parsePattern(source, ignoresCase))
    return { ok: true, isIn: (text) => new Search(program, text).run(), steps: program.length }
  } catch (thrown) {
    if (thrown instanceof PatternFault) return { ok: false, message: thrown.message }
    throw thrown
  }
}

/** One search of a text. */
class Search {
  /** The places before the current character, each once. */
  private places: number[] = []
  /** The position at which a place was last added. */
  private readonly addedAt: Int32Array
  private placesLeft = MAX_PLACES

  constructor(
    private readonly program: readonly Instruction[],
    private readonly text: string,
  ) {
    this.addedAt = new Int32Array(program.length).fill(-1)
  }

  run(): boolean {
    const { text } = this
    for (let position = 0; ; ) {
      if (this.reach(0, position)) return true // The pattern may start at every character.
      if (position >= text.length || this.placesLeft < 0) return false
      const point = text.codePointAt(position) ?? 0
      position += point > 0xffff ? 2 : 1
      if (this.step(point, position)) return true
    }
  }

  /** Takes one character. True when the pattern is complete. */
  private step(point: number, position: number): boolean {
    const before = this.places
    this.places = []
    for (const place of before) {
      const instruction = this.program[place]
      if (instruction?.kind === 'CHAR' && instruction.test(point) && this.reach(place + 1, position)) return true
    }
    return false
  }

  /** Adds the places that can be reached without a character. True when the pattern is complete. */
  private reach(start: number, position: number): boolean {
    const open = [start]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (this.addedAt[place] === position) continue
      this.addedAt[place] = position
      this.placesLeft--
      const instruction = this.program[place]
      if (instruction?.kind === 'DONE') return true
      if (instruction?.kind === 'CHAR') this.places.push(place)
      else if (instruction?.kind === 'JUMP') open.push(instruction.to)
      else if (instruction?.kind === 'SPLIT') open.push(instruction.other, instruction.to)
      else if (instruction && holds(instruction.assertion, this.text, position)) open.push(place + 1)
    }
    return false
  }
}

function holds(assertion: Assertion, text: string, position: number): boolean {
  switch (assertion) {
    case 'TEXT_START':
      return position === 0
    case 'TEXT_END':
      return position === text.length
    case 'LINE_START':
      return position === 0 || text[position - 1] === '\n'
    case 'LINE_END':
      return position === text.length || text[position] === '\n'
    default:
      return (isWord(text[position - 1]) !== isWord(text[position])) === (assertion === 'WORD_EDGE')
  }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /\w/.test(character)
