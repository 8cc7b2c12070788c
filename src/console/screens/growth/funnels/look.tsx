import { contrastOf } from '../../../../core/funnel/contrast'
import { palettesOf } from '../../../../core/funnel/default-theme'
import { type FunnelTheme, THEME_COLORS, type ThemeColor } from '../../../../core/funnel/model'
import { Card, Columns } from '../../../kit/card'
import { Field, Select, Switch, TextInput } from '../../../kit/field'
import { NumberInput } from '../../../kit/number-input'
import { useText } from '../../../text/catalogue'
import { Editable } from './editable'
import { FileField } from './file-field'
import type { FunnelFiles } from './files'
import { Canvas } from './page/canvas'
import type { Builder } from './use-funnel-edit'

/** Colours, corners, distances and fonts, with what they do to legibility. */
export function Look({ builder }: { builder: Builder }) {
  const t = useText('funnels')
  const { state, change } = builder
  const { theme } = state
  const put = (next: FunnelTheme, key: string) => change((before) => ({ ...before, theme: next }), `theme.${key}`)
  const first = state.pages[0]
  const { dark: _dark, ...light } = theme
  return (
    <Columns
      main={
        <Editable builder={builder}>
          <Card title={t.colours}>
            <Colours theme={theme} set="colors" onChange={put} />
          </Card>
          <Card title={t.darkColours}>
            <div className="grid gap-4">
              <Switch
                label={t.hasDark}
                checked={theme.dark !== undefined}
                onChange={(isOn) => put(isOn ? { ...theme, dark: {} } : light, 'hasDark')}
              />
              {theme.dark && <Colours theme={theme} set="dark" onChange={put} />}
            </div>
          </Card>
          <Shapes theme={theme} files={builder.files} onChange={put} />
        </Editable>
      }
      side={
        <>
          <Contrasts theme={theme} />
          {first && (
            <Canvas
              {...{ builder, locale: state.defaultLocale, answers: {}, device: 'phone', look: 'light', chosen: null }}
              page={first}
              onChoose={() => {}}
            />
          )}
        </>
      }
    />
  )
}

type Put = (theme: FunnelTheme, key: string) => void

function Colours({ theme, set, onChange }: { theme: FunnelTheme; set: 'colors' | 'dark'; onChange: Put }) {
  const t = useText('funnels')
  const { light, dark } = palettesOf(theme)
  const palette = set === 'dark' ? (dark ?? light) : light
  const put = (name: ThemeColor, color: string) =>
    onChange({ ...theme, [set]: { ...theme[set], [name]: color } }, `${set}.${name}`)
  return (
    <div className="grid gap-3 md:grid-cols-2">
      {THEME_COLORS.map((name) => (
        <Field key={name} label={t.colourNames[name]}>
          <span className="flex gap-2">
            <input
              type="color"
              aria-label={t.pick(t.colourNames[name])}
              value={palette[name]}
              onChange={({ target }) => put(name, target.value)}
              className="size-9 shrink-0 rounded-control border border-field bg-raised"
            />
            <TextInput
              className="font-mono"
              maxLength={7}
              value={theme[set]?.[name] ?? palette[name]}
              onChange={({ target }) => put(name, target.value)}
            />
          </span>
        </Field>
      ))}
    </div>
  )
}

const PAIRS: readonly (readonly [ThemeColor, ThemeColor])[] = [
  ['text', 'background'],
  ['text', 'surface'],
  ['muted', 'background'],
  ['muted', 'surface'],
  ['onAccent', 'accent'],
  ['danger', 'surface'],
  ['success', 'surface'],
]
const LEGIBLE = 4.5
const COLOUR = /^#[0-9a-f]{6}$/i

/** How well each text is read on its ground. */
function Contrasts({ theme }: { theme: FunnelTheme }) {
  const t = useText('funnels')
  const { light, dark } = palettesOf(theme)
  const rows = [light, ...(dark ? [dark] : [])].flatMap((palette, index) =>
    PAIRS.filter((pair) => pair.every((name) => COLOUR.test(palette[name]))).map(([above, below]) => ({
      key: `${index}${above}${below}`,
      name: `${t.colourNames[above]}, ${t.colourNames[below]}${index === 1 ? `, ${t.dark}` : ''}`,
      contrast: contrastOf(palette[above], palette[below]),
    })),
  )
  return (
    <Card title={t.contrast} aside={t.contrastHint}>
      <ul className="grid gap-1 text-sm">
        {rows.map(({ key, name, contrast }) => (
          <li key={key} className="flex justify-between gap-3">
            <span className="text-ink-2">{name}</span>
            <span className={contrast < LEGIBLE ? 'text-warn tabular-nums' : 'tabular-nums'}>
              {contrast.toFixed(1)}
              {contrast < LEGIBLE && ` ${t.tooLow}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The families of the project, and one that the theme names and the project lacks. */
function choicesOf(families: FunnelFiles['families'], named: string | undefined) {
  const isUnknown = named !== undefined && named !== 'system' && families.every(({ id }) => id !== named)
  const known = families.map(({ id, name }) => [id, name] as const)
  return isUnknown ? [...known, [named, named] as const] : known
}

function Shapes({ theme, files, onChange }: { theme: FunnelTheme; files: FunnelFiles; onChange: Put }) {
  const t = useText('funnels')
  const { families } = files
  const { logo: _logo, ...plain } = theme
  const font = (name: 'heading' | 'body', family: string) => {
    const { [name]: _before, ...others } = theme.fonts ?? {}
    onChange({ ...theme, fonts: family === '' ? others : { ...others, [name]: family } }, `fonts.${name}`)
  }
  return (
    <Card title={t.shapes}>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label={t.radius} hint={t.pixels(0, 32)}>
          <NumberInput
            value={theme.radius ?? 12}
            min={0}
            max={32}
            isWhole
            onChange={(radius) => onChange({ ...theme, radius }, 'radius')}
          />
        </Field>
        <Field label={t.density}>
          <Select
            value={theme.density ?? 'normal'}
            onChange={({ target }) => onChange({ ...theme, density: target.value as 'normal' }, 'density')}
            options={(['compact', 'normal', 'spacious'] as const).map((one) => [one, t.densities[one]] as const)}
          />
        </Field>
        {(['heading', 'body'] as const).map((name) => (
          <Field key={name} label={t.fonts[name]}>
            <Select
              value={theme.fonts?.[name] === 'system' ? '' : (theme.fonts?.[name] ?? '')}
              onChange={({ target }) => font(name, target.value)}
              options={[['', t.systemFont] as const, ...choicesOf(families, theme.fonts?.[name])]}
            />
          </Field>
        ))}
        <FileField
          kind="image"
          label={t.logo}
          value={theme.logo?.asset ?? ''}
          files={files}
          onChange={(asset) => onChange(asset === null ? plain : { ...theme, logo: { ...theme.logo, asset } }, 'logo')}
        />
      </div>
    </Card>
  )
}
