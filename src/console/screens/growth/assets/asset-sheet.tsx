import { type ReactNode, useState } from 'react'
import { api } from '../../../api/client'
import { isEditConflict } from '../../../api/failure'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { CopyButton, Id } from '../../../kit/copy'
import { Dialog } from '../../../kit/dialog'
import { FormFailure } from '../../../kit/failure'
import { Field, TextInput } from '../../../kit/field'
import { toast } from '../../../kit/toast'
import { Time } from '../../../kit/values'
import { formatBytes } from '../../../lib/format'
import { useProject, useReading } from '../../../lib/session'
import { type Asset, AssetPicture } from '../../../parts/asset-picture'
import { Removal } from '../../../parts/removal'
import { useLocale, useText } from '../../../text/catalogue'

const LIST = '/dashboard/projects/{projectId}/assets'
const ITEM = `${LIST}/{id}` as const

interface SheetProps {
  asset: Asset
  reason: string | null
  onClose: () => void
}

/** What was made of a file, where it is used, its name and its alternative text. */
export function AssetSheet({ asset, reason, onClose }: SheetProps) {
  const t = useText('files')
  const common = useText('common')
  const { path } = useProject()
  const [isDeleting, setDeleting] = useState(false)
  const inUse = asset.references.length > 0 ? t.inUse : null
  return (
    <Dialog kind="sheet" title={asset.name} onClose={onClose}>
      <AssetPicture asset={asset} />
      <Id id={asset.id} />
      <Facts asset={asset} />
      <Uses asset={asset} />
      <Names asset={asset} reason={reason} />
      <div className="flex flex-wrap gap-2">
        <span className="flex items-center gap-1 text-sm">
          {t.copyLink}
          <CopyButton text={asset.url} />
        </span>
        <Button variant="danger" reason={reason ?? inUse} onClick={() => setDeleting(true)}>
          {common.delete}
        </Button>
      </div>
      {isDeleting && (
        <Removal
          title={t.deleteAsset}
          word={common.delete}
          done={t.assetDeleted}
          refreshes={[LIST]}
          run={() => api.delete(ITEM, { params: { path: { ...path, id: asset.id } } })}
          onClose={() => setDeleting(false)}
        >
          {t.deleteEffect}
        </Removal>
      )}
    </Dialog>
  )
}

function Facts({ asset: { source, widths, kind, createdAt, uploadedBy } }: { asset: Asset }) {
  const t = useText('files')
  const reading = useReading()
  return (
    <dl className="grid text-sm">
      <Fact name={t.uploaded}>
        <Time at={createdAt} day />, {uploadedBy ?? t.byCommand}
      </Fact>
      <Fact name={t.cameAs}>
        {source.format.toUpperCase()}, {formatBytes(reading, source.bytes)}
      </Fact>
      {kind === 'image' && <Fact name={t.made}>{widths.length === 0 ? t.madeNone : widths.join(', ')}</Fact>}
      {source.hadMetadata && <Fact name={t.removed}>{t.removedYes}</Fact>}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex justify-between gap-4 border-b border-line py-2">
    <dt className="text-ink-2">{name}</dt>
    <dd className="text-right">{children}</dd>
  </div>
)

function Uses({ asset: { references } }: { asset: Asset }) {
  const t = useText('files')
  if (references.length === 0) return <p className="text-sm text-ink-2">{t.notUsed}</p>
  return (
    <section className="grid gap-1 text-sm">
      <h3 className="font-medium">{t.used}</h3>
      <ul className="grid">
        {references.map(({ kind, id, name, state }) => (
          <li key={`${kind} ${id} ${state}`} className="flex justify-between gap-4 border-b border-line py-2">
            <span className="truncate">{name}</span>
            <span className="text-ink-2">{state === 'draft' ? t.draft : t.live}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * Edits the name of a file and its alternative text in the language of the console. Saving fails with a conflict when
 * another person has changed the file since the first keystroke. The input is kept, and the next save overwrites.
 */
function Names({ asset, reason }: { asset: Asset; reason: string | null }) {
  const t = useText('files')
  const common = useText('common')
  const locale = useLocale()
  const { path } = useProject()
  const [typed, setTyped] = useState<{ name?: string; alt?: string }>({})
  const [revision, setRevision] = useState<number | null>(null)
  const { [locale]: own = '', ...others } = asset.alt
  const { name = asset.name, alt = own } = typed
  const type = (more: typeof typed) => {
    setTyped({ ...typed, ...more })
    setRevision(revision ?? asset.revision)
  }
  const save = useAction({
    run: () =>
      api.patch(ITEM, {
        params: { path: { ...path, id: asset.id }, header: { 'If-Match': `"${revision ?? asset.revision}"` } },
        body: {
          ...(typed.name !== undefined && { name }),
          ...(typed.alt !== undefined && { alt: alt.trim() === '' ? others : { ...others, [locale]: alt } }),
        },
      }),
    refreshes: [LIST],
    onDone: () => {
      toast(t.saved)
      setTyped({})
      setRevision(null)
    },
    onFailure: (error) => {
      if (isEditConflict(error)) setRevision(null)
    },
  })
  const isSame = name === asset.name && alt === own
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        save.submit(undefined)
      }}
    >
      <FormFailure error={save.error} />
      <Field label={t.name}>
        <TextInput value={name} maxLength={120} onChange={({ target }) => type({ name: target.value })} />
      </Field>
      <Field label={t.alt} hint={t.altHint}>
        <TextInput value={alt} maxLength={500} onChange={({ target }) => type({ alt: target.value })} />
      </Field>
      <div>
        <Button type="submit" busy={save.busy} disabled={isSame} reason={reason}>
          {common.save}
        </Button>
      </div>
    </form>
  )
}
