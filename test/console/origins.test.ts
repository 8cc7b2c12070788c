import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleConsole } from '../../src/build-console'

// The console loads nothing from other servers. Its policy refuses that in the browser; here its files are read.

const folder = mkdtempSync(join(tmpdir(), 'svc-console-'))
const files = new Map<string, string>()

beforeAll(async () => {
  await bundleConsole(folder)
  for (const name of readdirSync(folder))
    if (/\.(js|css|html)$/.test(name)) files.set(name, readFileSync(join(folder, name), 'utf8'))
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ending = (end: string): [name: string, text: string][] => [...files].filter(([name]) => name.endsWith(end))
const allOf = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

/** Addresses in the scripts that nobody asks for: names of XML, a sentence of a library, and what is shown in a field. */
const NAMED: readonly RegExp[] = [
  /^http:\/\/www\.w3\.org\/(2000\/svg|1999\/xlink|1998\/Math\/MathML|XML\/1998\/namespace)$/,
  /^https:\/\/react\.dev\/errors\/$/,
  /^https:\/\/app\.example\.com$/,
  /^https:\/\/rest\.fra-02\.braze\.eu$/,
  /^https:\/\/api\.(eu\.)?iterable\.com$/,
  /^https:\/\/…?$/,
]

test('each address of another server in the scripts is known, and none is asked', () => {
  const found = ending('.js').flatMap(([, text]) => allOf(text, /\b((?:https?|wss?):\/\/[^\s"'`\\)<>]*)/g))
  expect(found.length).toBeGreaterThan(5)
  expect([...new Set(found)].filter((address) => !NAMED.some((one) => one.test(address)))).toEqual([])
})

test('scripts import only files of the console', () => {
  const reader = new Bun.Transpiler()
  const imported = ending('.js').flatMap(([, text]) => reader.scanImports(text).map(({ path }) => path))
  expect(imported.length).toBeGreaterThan(100)
  const isOwn = (path: string) => path.startsWith('/_console/') && files.has(path.slice('/_console/'.length))
  expect(imported.filter((path) => !isOwn(path))).toEqual([])
})

test('no script starts another thread, evaluates text or opens a socket', () => {
  const ways = /\b(importScripts|new (?:Shared)?Worker|navigator\.sendBeacon|new WebSocket|new Function|eval\()/g
  const found = ending('.js').flatMap(([name, text]) => allOf(text, ways).map((way) => `${name}: ${way}`))
  expect(found).toEqual([])
})

test('styles load only fonts of the console, and pictures that they contain', () => {
  const [styles] = ending('.css')
  const urls = allOf(styles?.[1] ?? '', /url\(\s*["']?([^)"']+)/g)
  expect(urls.length).toBeGreaterThan(3)
  expect(urls.filter((url) => !/^\/_console\/[\w-]+\.woff2$|^data:image\/svg\+xml,/.test(url))).toEqual([])
  expect(styles?.[1]).not.toMatch(/@import/)
})

test('no width of the window is on both sides of a breakpoint', () => {
  const queries = ending('.css').flatMap(([, text]) => allOf(text, /@media ([^{]*)/g))
  expect(queries.length).toBeGreaterThan(10)
  expect(queries.filter((query) => query.includes('max-width'))).toEqual([])
})

test('the page loads only files of the console, and has no script or style of its own', () => {
  const html = files.get('index.html') ?? ''
  const loaded = allOf(html, /\s(?:src|href)="([^"]+)"/g)
  expect(loaded.length).toBeGreaterThan(4)
  expect(loaded.filter((path) => !/^\/_console\/[\w.-]+$|^data:image\/svg/.test(path))).toEqual([])
  expect(html).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=|http-equiv|<base/)
})
