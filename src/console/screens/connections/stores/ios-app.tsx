import { read } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { FormFailure } from '../../../kit/failure'
import { Field, TextInput } from '../../../kit/field'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { IosDraft } from './ios-draft'

interface IosAppProps {
  draft: IosDraft
  onChange: (draft: IosDraft) => void
}

/** The app, which the public App Store knows by its bundle id once it is released. */
export function IosApp({ draft, onChange }: IosAppProps) {
  const t = useText('connections')
  const { path } = useProject()
  const look = useAction({
    run: () =>
      read('/dashboard/projects/{projectId}/apps/ios/lookup', {
        params: { path, query: { bundleId: draft.bundleId.trim() } },
      }),
    onDone: ({ appId }) => onChange({ ...draft, appId }),
  })
  return (
    <>
      <Field label={t.bundleId} name="bundleId" hint={t.bundleIdHint}>
        <TextInput
          data-first
          value={draft.bundleId}
          spellCheck={false}
          placeholder="com.example.app"
          onChange={({ target }) => onChange({ ...draft, bundleId: target.value })}
          className="font-mono"
        />
      </Field>
      <Field label={t.appId} name="appId" isOptional hint={look.result ? look.result.name : t.appIdHint}>
        <TextInput
          value={draft.appId}
          inputMode="numeric"
          onChange={({ target }) => onChange({ ...draft, appId: target.value })}
          className="font-mono"
        />
      </Field>
      <div className="grid gap-2">
        <Button
          onClick={() => look.submit(undefined)}
          busy={look.busy}
          reason={draft.bundleId.trim() === '' ? t.bundleIdFirst : null}
        >
          {t.lookUp}
        </Button>
        <FormFailure error={look.error} />
      </div>
    </>
  )
}
