import { fold } from '../folding'
import { type CharTest, type ClassItem, classTest, escapedClass, literalItem, namedClass } from './classes'

/** Where a pattern may continue without taking a character. */
export type Assertion = 'TEXT_START' | 'TEXT_END' | 'LINE_START' | 'LINE_END' | 'WORD_EDGE' | 'NO_WORD_EDGE'

export type PatternNode =
  | { kind: 'CHAR'; test: CharTest }
  | { kind: 'ASSERT'; assertion: Assertion }
  | { kind: 'SEQUENCE'; parts: readonly PatternNode[] }
  | { kind: 'CHOICE'; parts: readonly PatternNode[] }
  | { kind: 'REPEAT'; part: PatternNode; min: number; max: number }

/** What is wrong with a pattern, as the end of a sentence. */
export class PatternFault extends Error {}

interface Flags {
  i: boolean
  m: boolean
  s: boolean
}

const MAX_REPEAT = 1000
/** Groups within groups. */
const MAX_GROUPS = 50
const LOOK_AROUND = /^\?<?[=!]/
const GROUP = /^\?(?:P?<\w+>|(?:([imsU]*)(?:-([imsU]+))?)([:)]))/
const REPEAT = /^\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/
const CONTROLS: Record<string, number> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 }
const EDGES: Record<string, Assertion> = { A: 'TEXT_START', z: 'TEXT_END', b: 'WORD_EDGE', B: 'NO_WORD_EDGE' }
const CODE = /^x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/
const PROPERTY = /^[pP](?:\{(\w+)\}|([A-Z]))/
const MAX_POINT = 0x10ffff

/** Reads a pattern; throws a `PatternFault` for one that is not of the language. */
export function parsePattern(source: string, ignoresCase: boolean): PatternNode {
  const parser = new Parser(source)
  const node = parser.choice({ i: ignoresCase, m: false, s: false }, 0)
  if (!parser.isAtEnd) throw new PatternFault('has a closing parenthesis without an opening one')
  return node
}

class Parser {
  private at = 0

  constructor(private readonly source: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.source.length
  }

  private get rest(): string {
    return this.source.slice(this.at)
  }

  /** The next character, whole. */
  private take(): number {
    const point = this.source.codePointAt(this.at) ?? 0
    this.at += point > 0xffff ? 2 : 1
    return point
  }

  private skip(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.rest)
    if (match) this.at += match[0].length
    return match
  }

  /** Alternatives up to the end of the group. Flags such as `(?i)` hold until then. */
  choice(flags: Flags, depth: number): PatternNode {
    const own = { ...flags }
    const parts = [this.sequence(own, depth)]
    while (this.skip('|')) parts.push(this.sequence(own, depth))
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'CHOICE', parts }
  }

  private sequence(flags: Flags, depth: number): PatternNode {
    const parts: PatternNode[] = []
    while (!this.isAtEnd && !'|)'.includes(this.source[this.at] ?? '')) {
      const part = this.atom(flags, depth)
      if (part) parts.push(this.repeated(part))
    }
    return { kind: 'SEQUENCE', parts }
  }

  /** Null for a change of flags, which matches nothing by itself. */
  private atom(flags: Flags, depth: number): PatternNode | null {
    if (this.skip('(')) return this.group(flags, depth)
    if (this.skip('[')) return { kind: 'CHAR', test: this.charClass(flags) }
    if (this.skip('.')) return { kind: 'CHAR', test: flags.s ? () => true : (point) => point !== 10 }
    if (this.skip('^')) return { kind: 'ASSERT', assertion: flags.m ? 'LINE_START' : 'TEXT_START' }
    if (this.skip('$')) return { kind: 'ASSERT', assertion: flags.m ? 'LINE_END' : 'TEXT_END' }
    if (this.skip('\\')) return this.escaped(flags)
    if (/^[*+?]/.test(this.rest)) throw new PatternFault(`has a ${this.source[this.at]} with nothing to repeat`)
    return literal(this.take(), flags)
  }

  private group(flags: Flags, depth: number): PatternNode | null {
    if (depth >= MAX_GROUPS) throw new PatternFault(`has groups deeper than ${MAX_GROUPS} levels`)
    if (LOOK_AROUND.test(this.rest))
      throw new PatternFault('looks around, which takes too long for some texts; ask without (?=, (?!, (?<= and (?<!')
    let inner = flags
    if (this.rest.startsWith('?')) {
      const match = this.match(GROUP)
      if (!match) throw new PatternFault('has a group that starts with (? and is not known')
      const [, on = '', off = '', end] = match
      inner = switched(flags, on, off)
      if (end === ')') {
        Object.assign(flags, inner)
        return null
      }
    }
    const node = this.choice(inner, depth + 1)
    if (!this.skip(')')) throw new PatternFault('has a group without its closing parenthesis')
    return node
  }

  private escaped(flags: Flags): PatternNode {
    const edge = EDGES[this.source[this.at] ?? '']
    if (edge) {
      this.at++
      return { kind: 'ASSERT', assertion: edge }
    }
    const item = this.classEscape()
    if (item) return { kind: 'CHAR', test: checkedClass([item], false, flags) }
    return literal(this.escapedPoint(), flags)
  }

  private classEscape(): ClassItem | null {
    const property = this.match(PROPERTY)
    if (property) return escapedClass(property[0][0] ?? '', property[1] ?? property[2] ?? '')
    const item = escapedClass(this.source[this.at] ?? '', '')
    if (item?.source.startsWith('\\p')) throw new PatternFault('has \\p without the name of a property')
    if (item) this.at++
    return item
  }

  /** The character that an escape means. */
  private escapedPoint(): number {
    if (this.isAtEnd) throw new PatternFault('ends with a backslash')
    const code = this.match(CODE)
    if (code) {
      const point = Number.parseInt(code[1] ?? code[2] ?? '', 16)
      if (point > MAX_POINT) throw new PatternFault(`has \\x{${code[2]}}, which is no character`)
      return point
    }
    const point = this.take()
    const character = String.fromCodePoint(point)
    if (/[1-9]/.test(character)) throw new PatternFault('refers back to a group, which takes too long for some texts')
    const control = CONTROLS[character]
    if (control !== undefined) return control
    if (/[0-9A-Za-z]/.test(character)) throw new PatternFault(`has \\${character}, which is not known`)
    return point
  }

  private charClass(flags: Flags): CharTest {
    const isNegated = this.skip('^')
    const items: ClassItem[] = []
    let isFirst = true
    while (isFirst || !this.skip(']')) {
      if (this.isAtEnd) throw new PatternFault('has a [ without its ]')
      items.push(this.classItem())
      isFirst = false
    }
    return checkedClass(items, isNegated, flags)
  }

  private classItem(): ClassItem {
    const named = this.match(/^\[:(\^?)(\w+):\]/)
    if (named) {
      const item = namedClass(named[2] ?? '', named[1] === '^')
      if (!item) throw new PatternFault(`has [:${named[2]}:], which is not known`)
      return item
    }
    const first = this.classPoint()
    if (typeof first === 'object') return first
    if (!/^-[^\]]/.test(this.rest)) return { source: literalItem(first), isNegated: false }
    this.at++
    const last = this.classPoint()
    if (typeof last === 'object' || last < first)
      throw new PatternFault('has a range in [ ] that is in the wrong order')
    return { source: `${literalItem(first)}-${literalItem(last)}`, isNegated: false }
  }

  private classPoint(): number | ClassItem {
    if (!this.skip('\\')) return this.take()
    return this.classEscape() ?? this.escapedPoint()
  }

  private repeated(part: PatternNode): PatternNode {
    const limits = this.limits()
    if (!limits) return part
    this.skip('?') // Whether as few as possible are taken changes nothing of a yes or no.
    if (this.limits()) throw new PatternFault('repeats a repetition; put the inner one into a group')
    return { kind: 'REPEAT', part, ...limits }
  }

  private limits(): { min: number; max: number } | null {
    if (this.skip('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
    if (this.skip('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
    if (this.skip('?')) return { min: 0, max: 1 }
    const match = this.match(REPEAT)
    if (!match) return null
    const min = Number(match[1])
    const max = match[3] === undefined ? (match[2] ? Number.POSITIVE_INFINITY : min) : Number(match[3])
    if (min > MAX_REPEAT || (max > MAX_REPEAT && max !== Number.POSITIVE_INFINITY))
      throw new PatternFault(`repeats more than ${MAX_REPEAT} times`)
    if (max < min) throw new PatternFault(`has ${match[0]}, whose limits are in the wrong order`)
    return { min, max }
  }
}

function switched(flags: Flags, on: string, off: string): Flags {
  const next = { ...flags }
  for (const name of ['i', 'm', 's'] as const) {
    if (on.includes(name)) next[name] = true
    if (off.includes(name)) next[name] = false
  }
  return next
}

function literal(point: number, { i: ignoresCase }: Flags): PatternNode {
  if (!ignoresCase) return { kind: 'CHAR', test: (given) => given === point }
  const folded = fold(String.fromCodePoint(point))
  return { kind: 'CHAR', test: (given) => given === point || fold(String.fromCodePoint(given)) === folded }
}

function checkedClass(items: readonly ClassItem[], isNegated: boolean, { i: ignoresCase }: Flags): CharTest {
  try {
    return classTest(items, isNegated, ignoresCase)
  } catch {
    throw new PatternFault('has a \\p{…} whose property is not known')
  }
}
