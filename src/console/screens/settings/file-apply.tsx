import { type ChangeEvent, useState } from 'react'
import { rightToChange } from '../../../core/roles/file-rights'
import { roleFor } from '../../../core/roles/roles'
import { api } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card, Stack } from '../../kit/card'
import { Code } from '../../kit/copy'
import { Confirm, SecretShown } from '../../kit/dialog'
import { Skeleton } from '../../kit/empty'
import { Failure, FormFailure } from '../../kit/failure'
import { Field, Switch, TextArea } from '../../kit/field'
import { toast } from '../../kit/toast'
import { type Rights, useProject, useReadOnly } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { useMadeSecrets, useReadApplied } from './applied'
import { PlanView } from './file-plan'

/** Edits the exported text, or takes a file, shows what it would change, and applies it. */
export function FileApply() {
  const { path, project } = useProject()
  const file = useRead('/dashboard/projects/{projectId}/project-file', { params: { path } })
  if (!file.data && file.error) return <Failure error={file.error} onRetry={() => void file.refetch()} />
  if (!file.data) return <Skeleton lines={12} />
  return (
    <>
      <Editor key={project.id} saved={file.data.yaml ?? ''} />
      <MadeSecrets />
    </>
  )
}

function MadeSecrets() {
  const t = useText('settings')
  const { secrets, forget } = useMadeSecrets()
  if (secrets.length === 0) return null
  return (
    <SecretShown title={t.newSecrets} onClose={forget}>
      {secrets.map(({ kind, ref, secret }) => (
        <Code key={`${kind} ${ref}`} label={`${kind} ${ref}`} text={secret} />
      ))}
    </SecretShown>
  )
}

interface Asked {
  text: string
  prune: boolean
}

/** The typed text outlives a reload of the page. */
function useTyped(saved: string): [text: string, setText: (text: string) => void] {
  const { project } = useProject()
  const key = `svc.draft.file.${project.id}`
  const [typed, setTyped] = useState(() => sessionStorage.getItem(key))
  const set = (text: string) => {
    setTyped(text === saved ? null : text)
    if (text === saved) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  }
  return [typed ?? saved, set]
}

function Editor({ saved }: { saved: string }) {
  const t = useText('settings')
  const c = useText('common')
  const { path } = useProject()
  const [text, setText] = useTyped(saved)
  const [prune, setPrune] = useState(false)
  const plan = useAction({
    run: ({ text: sent, prune: deletes }: Asked) =>
      api.post('/dashboard/projects/{projectId}/project-file/plan', {
        params: { path },
        body: { file: sent, prune: deletes },
      }),
  })
  const change = (next: string) => {
    setText(next)
    plan.reset()
  }
  return (
    <Stack>
      <Card
        title={t.editFile}
        aside={
          <>
            <FilePicker onText={change} />
            {text !== saved && <Button onClick={() => change(saved)}>{c.discard}</Button>}
          </>
        }
      >
        <div className="grid gap-3">
          <Field label={t.fileLabel} hint={t.fileHint}>
            <TextArea
              rows={20}
              spellCheck={false}
              value={text}
              onChange={(event) => change(event.target.value)}
              className="font-mono text-xs leading-5 whitespace-pre"
            />
          </Field>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div className="grid gap-1">
              <Switch
                checked={prune}
                label={t.prune}
                onChange={(isOn) => {
                  setPrune(isOn)
                  plan.reset()
                }}
              />
              <p className="text-xs text-ink-2">{t.pruneHint}</p>
            </div>
            <Button
              variant="primary"
              busy={plan.busy}
              reason={useReadOnly()}
              onClick={() => plan.submit({ text, prune })}
            >
              {t.showDifferences}
            </Button>
          </div>
          <FormFailure error={plan.error} />
        </div>
      </Card>
      {plan.result && (
        <Planned
          plan={plan.result}
          asked={{ text, prune }}
          onApplied={() => {
            plan.reset()
            setText(saved)
          }}
        />
      )}
    </Stack>
  )
}

/** Takes the text of a file of the reader's machine. */
function FilePicker({ onText }: { onText: (text: string) => void }) {
  const t = useText('settings')
  const onFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? []
    if (chosen) onText(await chosen.text())
    event.target.value = ''
  }
  return (
    <label className="inline-flex h-7.5 items-center rounded-control border border-line-2 px-3 font-medium text-ink focus-within:outline-2 focus-within:outline-accent hover:bg-hover">
      {t.openFile}
      <input type="file" accept=".yaml,.yml,.json" className="sr-only" onChange={onFile} />
    </label>
  )
}

interface PlannedProps {
  plan: Schemas['ProjectFilePlan']
  asked: Asked
  onApplied: () => void
}

function Planned({ plan, asked, onApplied }: PlannedProps) {
  const t = useText('settings')
  const { path } = useProject()
  const why = useWhyNot(plan)
  const [isAsked, setAsked] = useState(false)
  const { keep } = useMadeSecrets()
  const readApplied = useReadApplied()
  const action = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/project-file/apply', {
        params: { path },
        body: { file: asked.text, prune: asked.prune, configVersion: plan.configVersion },
      }),
    onDone: ({ secrets }) => {
      if (secrets.length > 0) keep(secrets)
      onApplied()
      toast(t.fileApplied)
      void readApplied()
    },
  })
  return (
    <>
      <PlanView
        plan={plan}
        action={
          <Button variant="primary" reason={why} onClick={() => setAsked(true)}>
            {t.applyFile}
          </Button>
        }
      />
      {isAsked && (
        <Confirm
          title={t.applyFile}
          action={t.applyCounts(plan.counts.create, plan.counts.update, plan.counts.delete)}
          busy={action.busy}
          error={action.error}
          onClose={() => setAsked(false)}
          onConfirm={() => action.submit(undefined)}
        >
          <p>{t.applyEffect}</p>
          <Code text={plan.lines.join('\n')} />
        </Confirm>
      )}
    </>
  )
}

/** Why a plan cannot be applied by this person now. */
function useWhyNot({ changes, problems }: Schemas['ProjectFilePlan']): string | null {
  const t = useText('settings')
  const c = useText('common')
  const role = roleForChanges(
    useProject(),
    changes.map(({ kind }) => kind),
  )
  if (problems.length > 0) return t.problemsFirst
  if (changes.length === 0) return t.nothingToApply
  return role && c.roleNeeded(role)
}

/** The role that the first change needs which the person may not make; null when they may make all of them. */
function roleForChanges({ can, hasRole }: Rights, kinds: readonly string[]): string | null {
  for (const kind of kinds) {
    const right = rightToChange(kind)
    if ('role' in right && !hasRole(right.role)) return right.role
    if ('capability' in right && !can(right.capability)) return roleFor(right.capability)
  }
  return null
}
