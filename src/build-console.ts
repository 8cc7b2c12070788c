import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwind from 'bun-plugin-tailwind'
import { sha256Hex } from './base/lib/hash'

const ROOT = join(import.meta.dir, '..')
const SOURCE = join(ROOT, 'src', 'console')
const ASSETS = '/_console/'

/**
 * Builds the console into a folder. Each text file is written twice, as `.br` and as `.gz`, because browsers take brotli
 * on https and localhost only.
 */
export async function buildConsole(folder: string): Promise<void> {
  await bundleConsole(folder)
  compressFiles(folder)
}

/** Writes the files of the console as they are: hashed scripts and styles, the fonts and `index.html`. */
export async function bundleConsole(folder: string, plugins: Bun.BunPlugin[] = []): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const fonts = writeFonts(folder)
  const { outputs } = await Bun.build({
    entrypoints: ['main.tsx', 'theme.ts', 'app.css'].map((name) => join(SOURCE, name)),
    outdir: folder,
    target: 'browser',
    format: 'esm',
    minify: true,
    splitting: true,
    publicPath: ASSETS,
    external: [`${ASSETS}*`],
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: '[name]-[hash].[ext]',
    plugins: [...plugins, tailwind],
  })
  const names = outputs
    .filter(({ kind }) => kind === 'entry-point' || kind === 'asset')
    .map(({ path }) => basename(path))
  const styles = writeStyles(folder, names, fonts)
  writeFileSync(join(folder, 'index.html'), documentOf({ names, styles, fonts }))
}

interface Font {
  family: string
  name: string
  range: string
  subset: string
}

const FAMILIES = [
  { family: 'Geist', pack: 'geist' },
  { family: 'Geist Mono', pack: 'geist-mono' },
] as const

// The ranges of the packages' own style sheets.
const SUBSETS: Record<string, string> = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  cyrillic: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116',
}

function writeFonts(folder: string): Font[] {
  return FAMILIES.flatMap(({ family, pack }) =>
    Object.entries(SUBSETS).map(([subset, range]) => {
      const file = join(
        ROOT,
        'node_modules',
        '@fontsource-variable',
        pack,
        'files',
        `${pack}-${subset}-wght-normal.woff2`,
      )
      const name = `${pack}-${subset}-${sha256Hex(readFileSync(file)).slice(0, 8)}.woff2`
      copyFileSync(file, join(folder, name))
      return { family, name, range, subset }
    }),
  )
}

/** One style sheet: the bundler would write fonts into the sheet as data, so their rules are added here. */
function writeStyles(folder: string, names: string[], fonts: Font[]): string {
  const made = names.find((name) => name.endsWith('.css')) ?? ''
  const faces = fonts.map(
    ({ family, name, range }) =>
      `@font-face{font-family:"${family}";font-weight:100 900;font-display:swap;src:url(${ASSETS}${name}) format("woff2");unicode-range:${range}}`,
  )
  const text = `${withWholeWidths(readFileSync(join(folder, made), 'utf8'))}\n${faces.join('\n')}`
  rmSync(join(folder, made))
  const name = `app-${sha256Hex(text).slice(0, 8)}.css`
  writeFileSync(join(folder, name), text)
  return name
}

/**
 * The bundler writes "narrower than 48rem" as a largest width of `calc(48rem - .001px)`, which Chromium rounds up: at
 * 768 px the rules of both sides would hold. The exact opposite of "at least 48rem" has no such width.
 */
const withWholeWidths = (css: string): string =>
  css.replace(/\(max-width: ?calc\(([\d.]+(?:rem|px)) - 0?\.001px\)\)/g, 'not all and (min-width:$1)')

interface Page {
  names: string[]
  styles: string
  fonts: Font[]
}

function documentOf({ names, styles, fonts }: Page): string {
  const script = (start: string) => names.find((name) => name.startsWith(start) && name.endsWith('.js')) ?? ''
  const preload = fonts.filter(({ subset }) => subset === 'latin').map(({ name }) => name)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>svc</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cg fill='%2300677f'%3E%3Ccircle cx='8' cy='4' r='2.4'/%3E%3Ccircle cx='3.5' cy='11.5' r='2.4'/%3E%3Ccircle cx='12.5' cy='11.5' r='2.4'/%3E%3C/g%3E%3C/svg%3E">
${preload.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${ASSETS}${name}">`).join('\n')}
<script src="${ASSETS}${script('theme-')}"></script>
<link rel="stylesheet" href="${ASSETS}${styles}">
<script type="module" src="${ASSETS}${script('main-')}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console of svc needs JavaScript. The command line and the API do everything that it does.</noscript>
</body>
</html>
`
}

function compressFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|html)$/.test(name)) continue
    const bytes = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
    rmSync(join(folder, name))
  }
}

if (import.meta.main) await buildConsole(join(ROOT, 'dist', 'console'))
