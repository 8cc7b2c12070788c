import { syntaxTree } from '@codemirror/language'
import { type Range, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'

/** The palette's custom properties reach into the shadow root. */
export const THEME = EditorView.theme({
  '&': { color: 'var(--ink)', fontSize: '13px', minHeight: '208px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px', borderRadius: '7px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono, "Geist Mono", monospace)', lineHeight: '1.5', minHeight: '208px' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-gutters': { background: 'transparent', color: 'var(--ink-3)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--accent-soft) !important' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-tooltip': {
    background: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-soft)', color: 'var(--ink)' },
  '.cm-matchingBracket': { background: 'var(--accent-soft) !important' },
  '.sql-keyword': { color: 'var(--accent)', fontWeight: '500' },
  '.sql-text': { color: 'var(--good)' },
  '.sql-number': { color: 'var(--warn)' },
  '.sql-comment': { color: 'var(--ink-3)' },
  '.sql-fault': { textDecoration: 'underline wavy var(--bad)', textUnderlineOffset: '3px' },
})

const CLASSES: Record<string, string> = {
  Keyword: 'sql-keyword',
  Bool: 'sql-keyword',
  Null: 'sql-keyword',
  String: 'sql-text',
  Number: 'sql-number',
  LineComment: 'sql-comment',
  BlockComment: 'sql-comment',
}

/** Colours keywords, texts, numbers and comments of the visible part. */
export const coloured = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorationsOf(view)
    }

    update({ docChanged, viewportChanged, view, startState, state }: ViewUpdate): void {
      if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state))
        this.decorations = decorationsOf(view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

function decorationsOf({ state, visibleRanges }: EditorView): DecorationSet {
  const found: Range<Decoration>[] = []
  for (const { from, to } of visibleRanges)
    syntaxTree(state).iterate({
      from,
      to,
      enter: (node) => {
        const name = CLASSES[node.name]
        if (name) found.push(Decoration.mark({ class: name }).range(node.from, node.to))
      },
    })
  return Decoration.set(found, true)
}

export const markAt = StateEffect.define<{ from: number; to: number }>()
export const clearMark = StateEffect.define<null>()

/** The underlined place of an error; it goes with the next change. */
export const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (held, { docChanged, effects }) => {
    let next = docChanged ? Decoration.none : held
    for (const effect of effects) {
      if (effect.is(markAt))
        next = Decoration.set([Decoration.mark({ class: 'sql-fault' }).range(effect.value.from, effect.value.to)])
      if (effect.is(clearMark)) next = Decoration.none
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})
