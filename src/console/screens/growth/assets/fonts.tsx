import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useEvery } from '../../../api/every'
import type { Schemas } from '../../../api/schemas'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Empty, Skeleton } from '../../../kit/empty'
import { FormFailure } from '../../../kit/failure'
import { Page } from '../../../kit/page'
import { formatBytes } from '../../../lib/format'
import { roleFor, useProject, useReading } from '../../../lib/session'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { FunnelTabs } from '../funnel-tabs'
import { FACES, FAMILIES, FAMILY, NewFace, NewFamily } from './new-font'

type Family = Schemas['FontFamily']

/** The font families of the funnels with their faces. */
export default function Fonts() {
  const t = useText('files')
  const common = useText('common')
  const { path, can } = useProject()
  const { items, isLoading, error } = useEvery(FAMILIES, { params: { path } })
  const [isNew, setNew] = useState(false)
  const reason = can('funnels:write') ? null : common.roleNeeded(roleFor('funnels:write'))
  const create = (
    <Button variant="primary" icon={<Plus aria-hidden size={14} />} reason={reason} onClick={() => setNew(true)}>
      {t.newFamily}
    </Button>
  )
  return (
    <Page title={common.fonts} purpose={t.fontsPurpose} actions={create}>
      <FunnelTabs here="fonts" />
      <FormFailure error={error} />
      {isLoading && <Skeleton lines={6} />}
      {!isLoading && items.length === 0 && <Empty title={t.noFonts}>{t.noFontsHint}</Empty>}
      {items.map((family) => (
        <FamilyCard key={family.id} family={family} reason={reason} />
      ))}
      {isNew && <NewFamily onClose={() => setNew(false)} />}
    </Page>
  )
}

function FamilyCard({ family, reason }: { family: Family; reason: string | null }) {
  const t = useText('files')
  const common = useText('common')
  const { path } = useProject()
  const [open, setOpen] = useState<'face' | 'delete' | null>(null)
  const inUse = family.references.length > 0 ? t.inUse : null
  return (
    <Card title={family.name}>
      {family.faces.length === 0 ? (
        <p className="text-sm text-ink-2">{t.noFaces}</p>
      ) : (
        <Faces family={family} reason={reason} />
      )}
      <div className="flex flex-wrap gap-2 pt-3">
        <Button reason={reason} onClick={() => setOpen('face')}>
          {t.addFace}
        </Button>
        <Button reason={reason ?? inUse} onClick={() => setOpen('delete')}>
          {t.deleteFamily}
        </Button>
      </div>
      {open === 'face' && <NewFace familyId={family.id} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <Removal
          title={t.deleteFamily}
          word={common.delete}
          done={t.fontDeleted}
          refreshes={[FAMILIES]}
          run={() => api.delete(FAMILY, { params: { path: { ...path, familyId: family.id } } })}
          onClose={() => setOpen(null)}
        >
          {t.familyEffect}
        </Removal>
      )}
    </Card>
  )
}

function Faces({ family: { id: familyId, faces }, reason }: { family: Family; reason: string | null }) {
  const t = useText('files')
  const common = useText('common')
  const reading = useReading()
  const { path } = useProject()
  const [gone, setGone] = useState<string | null>(null)
  return (
    <ul className="grid text-sm">
      {faces.map(({ id, weight, style, format, bytes }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-2">
          <span className="tabular-nums">
            {weight}, {t[style]}
          </span>
          <span className="flex items-center gap-3 text-ink-2">
            {format.toUpperCase()}, {formatBytes(reading, bytes)}
            <Button reason={reason} onClick={() => setGone(id)}>
              {t.deleteFace}
            </Button>
          </span>
        </li>
      ))}
      {gone !== null && (
        <Removal
          title={t.deleteFace}
          word={common.delete}
          done={t.fontDeleted}
          refreshes={[FAMILIES]}
          run={() => api.delete(FACES, { params: { path: { ...path, familyId, faceId: gone } } })}
          onClose={() => setGone(null)}
        >
          {t.deleteEffect}
        </Removal>
      )}
    </ul>
  )
}
