/** A value of a dictionary: texts, numbers and truth values as texts, null, or something with parts of its own. */
export type DictionaryValue = string | null | { [key: string]: DictionaryValue } | DictionaryValue[]

const MAX_DEPTH = 8

/**
 * Reads an object or a list of JSON, or of the form with single quotes, `True`, `False` and `None`; null for any other
 * text. Numbers keep their digits: `123.0` stays so.
 */
export function readDictionary(text: string): DictionaryValue | null {
  const reader = new DictionaryReader(text)
  const value = reader.value(0)
  return value !== undefined && typeof value === 'object' && reader.isAtEnd() ? value : null
}

/** `key:value` pairs without braces, with commas or semicolons between; null for any other text. */
export function readPairs(text: string): Record<string, string> | null {
  const pairs = text.split(/[,;]/).map((pair) => /^\s*([^:\s][^:]*?)\s*:\s*(.*?)\s*$/s.exec(pair))
  if (pairs.some((pair) => pair === null)) return null
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
}

/** Names in a list: `["pro","extra"]`, `['pro', 'extra']`, `{pro,extra}` or `pro,extra`; null for any other text. */
export function readNames(text: string): string[] | null {
  if (text.startsWith('[')) {
    const list = readDictionary(text)
    return Array.isArray(list) && list.every((name) => typeof name === 'string') ? list : null
  }
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text
  if (/[[\]{}]/.test(inner)) return null
  return inner
    .split(',')
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
    .filter((name) => name !== '')
}

const WORDS: Readonly<Record<string, string | null>> = {
  ...{ true: 'true', True: 'true', false: 'false', False: 'false', null: null, None: null },
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Undefined = the text is not of this form. */
class DictionaryReader {
  #at = 0

  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    this.#skip()
    return this.#at === this.text.length
  }

  value(depth: number): DictionaryValue | undefined {
    this.#skip()
    const first = this.text[this.#at]
    if (first === '{') return depth < MAX_DEPTH ? this.#object(depth) : undefined
    if (first === '[') return depth < MAX_DEPTH ? this.#list(depth) : undefined
    if (first === '"' || first === "'") return this.#quoted(first)
    const word = this.#match(/[A-Za-z]+/y)
    if (word !== null) return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
    return this.#match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y) ?? undefined
  }

  #object(depth: number): Record<string, DictionaryValue> | undefined {
    const members: [string, DictionaryValue][] = []
    this.#at++
    if (this.#take('}')) return {}
    do {
      this.#skip()
      const quote = this.text[this.#at]
      const key = quote === '"' || quote === "'" ? this.#quoted(quote) : undefined
      if (key === undefined || !this.#take(':')) return undefined
      const value = this.value(depth + 1)
      if (value === undefined) return undefined
      members.push([key, value])
    } while (this.#take(','))
    return this.#take('}') ? Object.fromEntries(members) : undefined
  }

  #list(depth: number): DictionaryValue[] | undefined {
    const items: DictionaryValue[] = []
    this.#at++
    if (this.#take(']')) return items
    do {
      const value = this.value(depth + 1)
      if (value === undefined) return undefined
      items.push(value)
    } while (this.#take(','))
    return this.#take(']') ? items : undefined
  }

  #quoted(quote: '"' | "'"): string | undefined {
    let text = ''
    for (this.#at++; this.#at < this.text.length; this.#at++) {
      const character = this.text[this.#at] as string
      if (character === quote) {
        this.#at++
        return text
      }
      if (character !== '\\') text += character
      else {
        const escaped = this.#escape()
        if (escaped === undefined) return undefined
        text += escaped
      }
    }
    return undefined
  }

  #escape(): string | undefined {
    this.#at++
    const sign = this.text[this.#at]
    if (sign !== 'u' && sign !== 'x') return sign === undefined ? undefined : (ESCAPES[sign] ?? sign)
    const hex = this.text.slice(this.#at + 1, this.#at + (sign === 'u' ? 5 : 3))
    if (!/^([0-9a-f]{4}|[0-9a-f]{2})$/i.test(hex)) return undefined
    this.#at += hex.length
    return String.fromCharCode(Number.parseInt(hex, 16))
  }

  #skip(): void {
    this.#match(/\s+/y)
  }

  #take(sign: string): boolean {
    this.#skip()
    if (this.text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)?.[0] ?? null
    this.#at += found?.length ?? 0
    return found
  }
}
