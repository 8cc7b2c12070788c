import { type Palette, palettesOf } from '../default-theme'
import type { FunnelTheme } from '../model'

const DENSITY = { compact: 8, normal: 12, spacious: 18 } as const

/** The style sheet of a page: the theme as variables, and rules that are the same for every funnel. */
export function styleSheet(theme: FunnelTheme): string {
  const { light, dark } = palettesOf(theme)
  const night = dark ? `@media (prefers-color-scheme:dark){:root{color-scheme:dark;${variables(dark)}}}` : ''
  const gap = DENSITY[theme.density ?? 'normal']
  return `:root{color-scheme:light;--radius:${theme.radius ?? 12}px;--gap:${gap}px;${variables(light)}}${night}${RULES}`
}

const variables = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';')

const RULES = `*{box-sizing:border-box}
body{margin:0;background:var(--background);color:var(--text);font:16px/1.5 system-ui,sans-serif;-webkit-text-size-adjust:100%}
main,header,footer{max-width:32rem;margin:0 auto;padding:16px}
header{display:flex;gap:12px;align-items:center;min-height:64px}
header progress{flex:1}.logo{width:auto;max-width:96px;max-height:40px}
form{display:flex;flex-direction:column;gap:calc(var(--gap)*1.5)}
h1,h2,h3{line-height:1.2;margin:0;overflow-wrap:anywhere}
h1{font-size:1.75rem}h2{font-size:1.375rem}h3{font-size:1.125rem}
p,ul,ol,figure,blockquote{margin:0}
img,video,svg{max-width:100%;height:auto}
.animation{position:relative;display:inline-block;max-width:100%;vertical-align:top;border-radius:var(--radius);background:var(--surface);color:var(--muted)}
.animation>svg{display:block}.animation>p,.animation>svg+svg{position:absolute;inset:0}
.animation>p{display:flex;align-items:center;justify-content:center;padding:8px;overflow:hidden;text-align:center}
.animation[data-drawn]{background:none}
iframe{display:block;width:100%;border:0;color-scheme:normal}
.b-qr svg,.claim svg{width:12rem}.b-store_buttons{display:flex;flex-direction:column;gap:var(--gap)}
a{color:inherit}
fieldset{border:0;margin:0;padding:0;min-width:0;display:flex;flex-direction:column;gap:var(--gap)}
.option{display:flex;gap:12px;align-items:center;min-height:48px;padding:12px 16px;border-radius:var(--radius);background:var(--surface);border:1px solid transparent;cursor:pointer}
.option:has(:checked){border-color:var(--accent)}
.option input,.star input{width:20px;height:20px;flex:none;accent-color:var(--accent)}
.option img{width:48px;height:48px;object-fit:cover;border-radius:8px}
.plans.cards{flex-direction:row;flex-wrap:wrap}.plans.cards .option{flex:1 1 9rem}
.plan span{display:flex;flex-direction:column}.price{font-size:1.375rem}.highlight{border-color:var(--accent)}
small,.legal,figcaption,footer,.preview{font-size:.875rem;color:var(--muted)}
.rating{flex-direction:row;flex-wrap:wrap}.star{display:flex;gap:6px;align-items:center;min-width:44px;min-height:44px}
.label{display:block;margin-bottom:6px;font-weight:600}
.input{display:flex;gap:8px;align-items:center}
.input input{flex:1;min-width:0;min-height:48px;padding:8px 12px;font:inherit;color:inherit;background:var(--surface);border:1px solid var(--muted);border-radius:var(--radius)}
.input input[type=range]{padding:0;border:0;accent-color:var(--accent)}
button,.button{display:inline-block;min-height:48px;padding:12px 20px;border:1px solid transparent;border-radius:var(--radius);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;width:100%}
.primary{background:var(--accent);color:var(--onAccent)}
.secondary{background:transparent;color:var(--text);border-color:var(--muted)}
.back{width:auto;min-width:44px;background:transparent;color:var(--text);padding:10px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.fault{color:var(--danger);margin-top:4px}
progress{appearance:none;width:100%;height:6px;border:0;border-radius:3px;overflow:hidden;background:var(--surface)}
progress::-webkit-progress-bar{background:var(--surface)}
progress::-webkit-progress-value{background:var(--accent)}
progress::-moz-progress-bar{background:var(--accent)}
.stack{display:flex;gap:var(--gap)}.stack.column{flex-direction:column}.stack.row{flex-wrap:wrap}.stack.row>.block{flex:1 1 8rem}
.card{display:flex;flex-direction:column;gap:var(--gap);padding:16px;border-radius:var(--radius);background:var(--surface)}
.align-center{text-align:center}.align-end{text-align:end}
.size-small{font-size:.875rem}.size-large{font-size:1.25rem}
.tone-muted{color:var(--muted)}.tone-accent{color:var(--accent)}.tone-danger{color:var(--danger)}.tone-success{color:var(--success)}
hr{border:0;border-top:1px solid var(--surface);width:100%}
.spacer{display:block}.line{fill:none;stroke:var(--accent);stroke-width:3}.bar{fill:var(--accent)}
.part{fill:none;stroke-width:18;stroke:var(--accent)}.part-1{stroke:var(--success)}.part-2{stroke:var(--muted)}.part-3{stroke:var(--danger)}
.points{display:flex;flex-wrap:wrap;gap:4px 16px;padding:0;list-style:none;font-size:.875rem;color:var(--muted)}
.stars{color:var(--accent)}summary{min-height:44px;cursor:pointer;padding:10px 0}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (prefers-reduced-motion:no-preference){.option,button{transition:border-color .12s}}`
