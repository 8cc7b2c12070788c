import { beforeAll, describe, expect, test } from 'bun:test'
import { ERRORS } from '../src/base/error-codes'
import type { ErrorCode } from '../src/base/errors'
import { buildSdk, type ClientFiles } from '../src/build-sdk'
import { BLOCKS, type Block, blocksOf, DOCUMENTS } from './support/doc-blocks'
import { type Describe, readOpenApi } from './support/openapi-calls'

// The code of the pages for apps cannot be compiled here. Its calls are held against the OpenAPI document, and what it
// imports from the client against the package.

let describeCall: Describe
let files: ClientFiles = {}
beforeAll(async () => {
  describeCall = await readOpenApi()
  files = await buildSdk()
})

interface Call {
  where: string
  method: string
  path: string
  /** The members of the body. Null without a body. */
  members: string[] | null
}

/** How a call looks in each language, and a member of its body. */
const LANGUAGES: Record<string, { call: RegExp; member: RegExp }> = {
  swift: { call: /\bcall\(\s*"([A-Z]+)", "(\/[^"]+)"(?:,\s*body: (\[[\s\S]*?\]|body))?\s*\)/g, member: /"(\w+)":/g },
  kotlin: { call: /\bcall\("([A-Z]+)", "(\/[^"]+)"(?:, (mapOf\([^)]*\)|body))?\)/g, member: /"(\w+)" to/g },
  dart: { call: /\bcall\('([A-Z]+)', '(\/[^']+)'(?:, (\{[^}]*\}))?\)/g, member: /'(\w+)':/g },
  js: { call: /\bcall\('([A-Z]+)', '(\/[^']+)'(?:, (\{[^}]*\}))?\)/g, member: /(\w+):/g },
}

/** The body of a call that stands in a variable. */
const VARIABLE = /\b(?:var|val) body(?:: [^=]+)? = (\[[\s\S]*?\]|mapOf\([\s\S]*?\n *\)(?=\n))/

function callsIn({ where, language, text }: Block): Call[] {
  const { call, member } = LANGUAGES[language] ?? { call: /$^/g, member: /$^/g }
  return [...text.matchAll(call)].map(([, method = '', path = '', given]) => {
    const body = given === 'body' ? VARIABLE.exec(text)?.[1] : given
    const members = body === undefined ? null : [...body.matchAll(member)].map(([, name]) => name ?? '')
    return { where, method, path, members }
  })
}

const CALLS = BLOCKS.flatMap(callsIn)
const names = new Set(CALLS.map(({ where }) => where))

describe('the calls in the pages for apps', () => {
  test('stand in four languages, each with a receipt', () => {
    expect(names.size).toBe(6)
    expect(CALLS.length).toBeGreaterThanOrEqual(20)
    for (const where of names) {
      const page = where.split(' ')[0]
      expect(
        CALLS.some((one) => one.where.startsWith(page ?? '') && one.path.startsWith('/v1/receipts/')),
        where,
      ).toBe(true)
    }
  })

  test('are calls of the API, with every member of the body that must be there and no other', () => {
    for (const { where, method, path, members } of CALLS) {
      const told = `${where}: ${method} ${path}`
      const described = describeCall(method, path)
      expect(described, told).not.toBeNull()
      expect(described?.body === null, told).toBe(members === null)
      for (const name of members ?? []) expect(described?.body?.members, `${told} has ${name}`).toContain(name)
      for (const name of described?.body?.required ?? []) expect(members, `${told} lacks ${name}`).toContain(name)
    }
  })

  test('are sent with the key, the device key and, with a body, an idempotency key', () => {
    const senders = BLOCKS.filter(({ text }) =>
      /\bfunc call|suspend fun call|> call\(String|function call\(/.test(text),
    )
    expect(senders.map(({ language }) => language).sort()).toEqual(['dart', 'js', 'kotlin', 'swift'])
    for (const { where, text } of senders)
      for (const header of ['Authorization', 'X-Svc-App-User-Id', 'Content-Type', 'Idempotency-Key', 'Bearer'])
        expect(text, `${where} ${header}`).toContain(header)
  })

  test('are balanced in their brackets', () => {
    for (const { where, text } of ['swift', 'kotlin', 'dart'].flatMap(blocksOf)) {
      const code = text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '').replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '')
      for (const [open = '', close = ''] of ['{}', '()', '[]'].map((pair) => pair.split('')))
        expect([where, open, code.split(open).length], where).toEqual([where, open, code.split(close).length])
    }
  })
})

test('the JavaScript is a program, and imports only what the client has', () => {
  const transpiler = new Bun.Transpiler({ loader: 'js' })
  const ENTRY = /import \{([^}]+)\} from '(?:@svc\/client\/([\w-]+)|https:\/\/[^']+\/sdk\/(svc)\.js)'/g
  let count = 0
  for (const { where, text } of blocksOf('js')) {
    expect(() => transpiler.transformSync(text), where).not.toThrow()
    for (const [, members = '', entry, page] of text.matchAll(ENTRY)) {
      const file = files[`${entry ?? page}.js`] ?? ''
      const exported = [...(/export\{([^}]*)\}/.exec(file)?.[1] ?? '').split(',')].map((one) =>
        one.split(' as ').at(-1),
      )
      for (const name of members.split(',').map((one) => one.trim())) {
        expect(exported, `${where} imports ${name}`).toContain(name)
        count++
      }
    }
  }
  expect(count).toBeGreaterThan(25)
})

test('the refusals in the pages are codes of the API, with their status', () => {
  const pages = DOCUMENTS.filter(({ file }) => /app-(ios|android)\.md$/.test(file))
  const rows = pages.flatMap(({ markdown }) => [...markdown.matchAll(/^\| (\d{3}) `(\w+)`/gm)])
  expect(rows.length).toBeGreaterThanOrEqual(10)
  for (const [, status, code = ''] of rows)
    expect([code, `${ERRORS[code as ErrorCode]?.status}`]).toEqual([code, status ?? ''])
})
