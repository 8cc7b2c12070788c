const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/HeadlessChrome\//, 'Headless Chrome'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^Bun\//, 'Bun'],
  [/^curl\//, 'curl'],
] as const

const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** `Firefox · Linux`, from what the browser says of itself. Null when it says nothing known. */
export function browserOf(userAgent: string): string | null {
  const names = [BROWSERS, SYSTEMS].flatMap((known) => known.find(([mark]) => mark.test(userAgent))?.[1] ?? [])
  if (names.length > 0) return names.join(' · ')
  return userAgent.trim() === '' ? null : userAgent
}
