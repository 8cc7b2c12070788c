import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { PostgreSQL, sql } from '@codemirror/lang-sql'
import { bracketMatching } from '@codemirror/language'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import type { Schemas } from '../../api/schemas'
import { clearMark, coloured, markAt, marks, THEME } from './sql-look'

export interface EditorHandle {
  text: () => string
  set: (text: string) => void
  /** Puts the cursor at a place of the text, underlines it and takes the focus. Both count from 1. */
  goTo: (line: number, column: number) => void
}

interface SqlEditorProps {
  label: string
  hint: string
  initial: string
  tables: readonly Schemas['QueryTable'][]
  handle: RefObject<EditorHandle | null>
  onRun: () => void
  onChange: (text: string) => void
}

/**
 * CodeMirror, in a shadow root: there its styles are adopted sheets, which the content security policy allows; in the
 * page they would be style elements, which it refuses.
 */
export function SqlEditor(props: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  const language = useRef(new Compartment())
  const view = useRef<EditorView | null>(null)
  latest.current = props
  useEffect(() => {
    const own = host.current
    if (!own) return
    const root = own.shadowRoot ?? own.attachShadow({ mode: 'open' })
    const made = new EditorView({ state: stateOf(latest, language.current), parent: root, root })
    view.current = made
    latest.current.handle.current = handleOf(made)
    return () => {
      latest.current.handle.current = null
      made.destroy()
    }
  }, [])
  useEffect(() => {
    view.current?.dispatch({ effects: language.current.reconfigure(languageOf(props.tables)) })
  }, [props.tables])
  return <div ref={host} className="min-h-52 overflow-hidden rounded-control border border-field bg-raised" />
}

const languageOf = (tables: readonly Schemas['QueryTable'][]) =>
  sql({
    dialect: PostgreSQL,
    upperCaseKeywords: true,
    schema: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
  })

function stateOf(latest: RefObject<SqlEditorProps>, language: Compartment): EditorState {
  const { initial, label, hint, tables } = latest.current
  const run = () => {
    latest.current.onRun()
    return true
  }
  return EditorState.create({
    doc: initial,
    extensions: [
      ...[lineNumbers(), history(), bracketMatching(), closeBrackets(), autocompletion(), coloured, marks, THEME],
      ...[language.of(languageOf(tables)), placeholder(hint), EditorView.lineWrapping],
      EditorView.contentAttributes.of({ 'aria-label': label }),
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) latest.current.onChange(update.state.doc.toString())
      }),
    ],
  })
}

const handleOf = (view: EditorView): EditorHandle => ({
  text: () => view.state.doc.toString(),
  set: (text) =>
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      effects: clearMark.of(null),
    }),
  goTo: (line, column) => {
    const own = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
    const at = Math.min(own.to, own.from + column - 1)
    const word = view.state.wordAt(at)
    const to = word?.to ?? Math.min(own.to, at + 1)
    view.dispatch({
      selection: { anchor: at },
      effects: to > at ? markAt.of({ from: at, to }) : [],
      scrollIntoView: true,
    })
    view.focus()
  },
})
