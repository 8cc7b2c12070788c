/** A schema of an OpenAPI document, as far as wrong values are made from it. */
interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  pattern?: string
  minimum?: number
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  schema?: Schema
}

interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** An OpenAPI document. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

/** A request that is wrong in some way, or right by chance. */
export interface HostileRequest {
  operation: string
  /** It would end the session with which it is called, so nobody is signed in. */
  needsNobody: boolean
  method: string
  path: string
  type: string | null
  body: string | null
}

/** Numbers from 0 to 1; the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const DEEP = 200

const nested = (open: string, close: string, inside = ''): string => open.repeat(DEEP) + inside + close.repeat(DEEP)

/** Values that no schema expects, or that only a careless check lets pass. As JSON. */
const WRONG: readonly string[] = [
  ...['null', 'true', 'false', '0', '-1', '1.5', '-0', '1e308', '-1e308', '9007199254740993', '99999999999999999999'],
  ...[
    '""',
    '" "',
    '"null"',
    '"0"',
    '"-1"',
    '"\\u0000"',
    '"\\ud800"',
    '"\\u202e\\u0007"',
    '"%00"',
    '"💥"',
    '"../../etc"',
  ],
  ...[
    '"2026-02-30T25:61:00Z"',
    '"9999-12-31T23:59:59Z"',
    '"-000001-01-01T00:00:00Z"',
    '"https://[::1"',
    '"http://169.254.169.254/"',
  ],
  ...[
    '"a@b"',
    '"\\"; drop table projects; --"',
    '"{{7*7}}"',
    '"__proto__"',
    '"constructor"',
    `"${'x'.repeat(5000)}"`,
    '"1e999"',
  ],
  ...[
    '[]',
    '{}',
    '[null]',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{}}}',
    nested('[', ']'),
    nested('{"a":', '}', '1'),
  ],
  `[${Array.from({ length: 2000 }, (_, n) => n).join()}]`,
  `{${Array.from({ length: 500 }, (_, n) => `"k${n}":${n}`).join()}}`,
]

const BODIES: readonly string[] = [
  ...['', ' ', '{', '[]', 'null', '"text"', '{}{}', '{"a":1,"a":2}', '\ufeff{}', '{"a":NaN}', '\0', 'a=b&c=d'],
  `{"a":"${'x'.repeat(300_000)}"}`,
]

const PARTS: readonly string[] = [
  ...[
    'x',
    '0',
    '-1',
    '%00',
    '%2e%2e%2f',
    '..',
    '%',
    '%zz',
    '%F0%9F%92%A5',
    'null',
    'undefined',
    '__proto__',
    'constructor',
  ],
  ...['a'.repeat(300), "'%20or%201=1--", 'prj_00000000000000000000000000', '%ff%fe', '%20', ';', ','],
]

/** Makes requests from a document; `known` gives some parameters of paths values that exist. */
export class HostileRequests {
  private readonly operations: { method: string; path: string; operation: Operation }[]
  private turn = 0

  constructor(
    private readonly document: Document,
    private readonly random: () => number,
    private readonly known: Readonly<Record<string, readonly string[]>>,
    /** Operations that would end what the others need: they are called with names that nothing has. */
    private readonly ending: ReadonlySet<string> = new Set(),
  ) {
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
  }

  get count(): number {
    return this.operations.length
  }

  /** The next one; operations come in circles. */
  next(): HostileRequest {
    const { method, path, operation } = this.pick(this.operations, this.turn++)
    const isEnding = this.ending.has(operation.operationId)
    const body = operation.requestBody ? this.body(operation.requestBody.content) : this.strayBody(method)
    const needsNobody = isEnding && !path.includes('{')
    return {
      operation: operation.operationId,
      needsNobody,
      method,
      path: this.path(path, operation, isEnding),
      ...body,
    }
  }

  private path(template: string, { parameters = [] }: Operation, isEnding: boolean): string {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.part(name, isEnding))
    const queries = parameters.map((one) => this.resolve(one)).filter(({ in: place }) => place === 'query')
    const chosen = queries.filter(() => this.random() < 0.5)
    const text = chosen.map(({ name, schema }) => `${encodeURIComponent(name)}=${this.queryValue(schema ?? {})}`)
    if (this.random() < 0.05) text.push(this.any(['a', 'a=%', '=', 'cursor=x', 'limit=-1', '%00=1', 'limit=1&limit=2']))
    // A longer head is refused before any code of ours sees it.
    return text.length > 0 ? `${path}?${text.join('&')}`.slice(0, 8000) : path
  }

  private part(name: string, isEnding: boolean): string {
    const values = this.known[name]
    if (isEnding) return `none_${Math.floor(this.random() * 1000)}`
    return values && this.random() < (name === 'projectId' ? 0.95 : 0.6) ? this.any(values) : this.any(PARTS)
  }

  private queryValue(schema: Schema): string {
    const value = this.random() < 0.4 ? this.valid(schema, 0) : JSON.parse(this.any(WRONG))
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return encodeURIComponent((text ?? '').toWellFormed().slice(0, 3000))
  }

  private strayBody(method: string): Pick<HostileRequest, 'type' | 'body'> {
    if (method === 'GET' || this.random() < 0.7) return { type: null, body: null }
    return { type: 'application/json', body: this.any(['{}', '[]', ...BODIES]) }
  }

  private body(content: Record<string, { schema: Schema }>): Pick<HostileRequest, 'type' | 'body'> {
    const [type = 'application/json', { schema } = { schema: {} }] = Object.entries(content)[0] ?? []
    const wrongType = this.random() < 0.03
    const sent = wrongType ? this.any(['text/plain', 'application/xml', 'multipart/form-data', '*/*']) : type
    if (this.random() < 0.08) return { type: sent, body: this.any(BODIES) }
    return { type: sent, body: this.mutated(this.valid(schema, 0)) }
  }

  /** The JSON of a value with one to three of its places replaced. */
  private mutated(value: unknown): string {
    const holes: string[] = []
    const hole = () => `@@${holes.push(this.any(WRONG)) - 1}@@`
    let left = 1 + Math.floor(this.random() * 3)
    const walk = (node: unknown): unknown => {
      if (left > 0 && this.random() < 0.25) {
        left--
        return hole()
      }
      if (Array.isArray(node)) return node.map(walk)
      if (typeof node !== 'object' || node === null) return node
      const members = Object.entries(node).filter(() => this.random() > 0.05)
      if (this.random() < 0.1) members.push([this.any(['unknown', '__proto__', 'id', 'projectId']), hole()])
      return Object.fromEntries(members.map(([name, one]) => [name, walk(one)]))
    }
    const text = JSON.stringify(walk(value)) ?? 'null'
    return text.replaceAll(/"@@(\d+)@@"/g, (_, index: string) => holes[Number(index)] ?? 'null')
  }

  /** A value that the schema may well accept. */
  private valid(given: Schema, depth: number): unknown {
    const schema = this.resolveSchema(given)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return this.valid(this.any(choices), depth)
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => this.valid(one, depth)))
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return this.any(schema.enum)
    const type = Array.isArray(schema.type) ? this.any(schema.type) : schema.type
    if (type === 'object' || schema.properties) return this.object(schema, depth)
    if (type === 'array') return depth > 4 ? [] : [this.valid(schema.items ?? {}, depth + 1)]
    if (type === 'integer' || type === 'number') return schema.minimum ?? Math.floor(this.random() * 100)
    if (type === 'boolean') return this.random() < 0.5
    return type === 'null' ? null : this.text()
  }

  private object({ properties = {}, required = [] }: Schema, depth: number): object {
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || this.random() < 0.5)
    if (depth > 5) return {}
    return Object.fromEntries(chosen.map(([name, one]) => [name, this.valid(one, depth + 1)]))
  }

  private text(): string {
    const known = Object.values(this.known).flat()
    return this.any([
      'pro',
      'abc',
      'a_b',
      '2026-01-01T00:00:00Z',
      'USD',
      'US',
      'https://example.com/x',
      'a@example.com',
      ...known,
    ])
  }

  private resolve(parameter: Parameter): Parameter {
    return parameter.$ref ? (this.document.components.parameters[lastOf(parameter.$ref)] ?? parameter) : parameter
  }

  private resolveSchema(schema: Schema): Schema {
    return schema.$ref ? (this.document.components.schemas[lastOf(schema.$ref)] ?? {}) : schema
  }

  private any<Item>(items: readonly Item[]): Item {
    return this.pick(items, Math.floor(this.random() * items.length))
  }

  private pick<Item>(items: readonly Item[], index: number): Item {
    const item = items[index % items.length]
    if (item === undefined && items.length === 0) throw new Error('there is nothing to choose from')
    return item as Item // Lists of this file can hold undefined only where it is meant.
  }
}

const lastOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)
