import { contrastOf } from './contrast'
import type { FunnelTheme, ThemeColor } from './model'

export type Palette = Record<ThemeColor, string>

const LIGHT: Palette = {
  background: '#ffffff',
  surface: '#f5f5f4',
  text: '#1c1917',
  muted: '#57534e',
  accent: '#1d4ed8',
  onAccent: '#ffffff',
  danger: '#b91c1c',
  success: '#166534',
}

const DARK: Palette = {
  background: '#0c0a09',
  surface: '#1c1917',
  text: '#fafaf9',
  muted: '#a8a29e',
  accent: '#93c5fd',
  onAccent: '#0c0a09',
  danger: '#fca5a5',
  success: '#86efac',
}

/** The colours of a theme with those of the default theme where it names none; `dark` is null for a page that is always light. */
export function palettesOf({ colors, dark, accent }: FunnelTheme): { light: Palette; dark: Palette | null } {
  const light = { ...LIGHT, ...(accent && { accent, onAccent: onAccentFor(accent) }), ...colors }
  return { light, dark: dark ? { ...DARK, ...dark } : null }
}

/** Black or white, whichever is read better on an accent that has no partner of its own. */
const onAccentFor = (accent: string): string =>
  contrastOf(accent, '#ffffff') >= contrastOf(accent, '#000000') ? '#ffffff' : '#000000'
