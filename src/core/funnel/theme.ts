import { Given } from './members'
import { type FunnelTheme, THEME_COLORS, type ThemeColors } from './model'
import type { Reading } from './reading'

const COLOR = /^#[0-9a-f]{6}$/i
const FAMILY = /^(ffm_[A-Za-z0-9]{1,60}|system)$/
const MEMBERS = ['colors', 'dark', 'radius', 'fonts', 'density', 'logo', 'accent']

/** The theme of a funnel (funnels 1); members that were left out stay absent. */
export function readTheme(reading: Reading, given: unknown, path: string): FunnelTheme {
  const theme = Given.of(reading, given ?? {}, path, MEMBERS)
  return {
    ...theme.maybe('colors', (value, place) => readColors(reading, value, place)),
    ...theme.maybe('dark', (value, place) => readColors(reading, value, place)),
    ...theme.maybe('radius', theme.whole(0, 32)),
    ...theme.maybe('fonts', (value, place) => readFonts(reading, value, place)),
    ...theme.maybe('density', theme.oneOf(['compact', 'normal', 'spacious'])),
    ...theme.maybe('logo', theme.asset),
    ...theme.maybe('accent', (value, place) => readColor(reading, value, place)),
  }
}

function readColors(reading: Reading, given: unknown, path: string): ThemeColors {
  const colors = Given.of(reading, given, path, THEME_COLORS)
  const read = (value: unknown, place: string) => readColor(reading, value, place)
  return Object.assign({}, ...THEME_COLORS.map((name) => colors.maybe(name, read)))
}

function readColor(reading: Reading, value: unknown, path: string): string {
  if (typeof value === 'string' && COLOR.test(value)) return value
  reading.refuse(path, 'must be a colour like #1a2b3c')
  return ''
}

function readFonts(reading: Reading, given: unknown, path: string): { heading?: string; body?: string } {
  const fonts = Given.of(reading, given, path, ['heading', 'body'])
  const read = (value: unknown, place: string): string => {
    if (typeof value === 'string' && FAMILY.test(value)) return value
    reading.refuse(place, 'must be the id of a font family, like ffm_…, or system')
    return ''
  }
  return { ...fonts.maybe('heading', read), ...fonts.maybe('body', read) }
}
