import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { upload } from '../../../api/upload'
import { Bar } from '../../../kit/bar'
import { Button } from '../../../kit/button'
import { Dialog } from '../../../kit/dialog'
import { FormFailure } from '../../../kit/failure'
import { Field, FileInput, Select, TextInput } from '../../../kit/field'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'

export const FAMILIES = '/dashboard/projects/{projectId}/fonts/families'
export const FAMILY = `${FAMILIES}/{familyId}` as const
export const FACES = `${FAMILY}/faces/{faceId}` as const

/** Asks for the name of a family and adds it. */
export function NewFamily({ onClose }: { onClose: () => void }) {
  const t = useText('files')
  const common = useText('common')
  const { path } = useProject()
  const [name, setName] = useState('')
  const add = useAction({
    run: () => api.post(FAMILIES, { params: { path }, body: { name } }),
    refreshes: [FAMILIES],
    onDone: () => {
      toast(t.familyMade)
      onClose()
    },
  })
  return (
    <Dialog title={t.newFamily} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          add.submit(undefined)
        }}
      >
        <FormFailure error={add.error} />
        <Field label={t.familyName}>
          <TextInput value={name} required maxLength={120} onChange={({ target }) => setName(target.value)} />
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={add.busy}>
            {t.newFamily}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Asks for a file, its weight and its style, and sends it. */
export function NewFace({ familyId, onClose }: { familyId: string; onClose: () => void }) {
  const t = useText('files')
  const common = useText('common')
  const { api: base } = useProject()
  const [file, setFile] = useState<File | null>(null)
  const [weight, setWeight] = useState('400')
  const [style, setStyle] = useState('normal')
  const [share, setShare] = useState(0)
  const add = useAction({
    run: async () => {
      if (file === null) throw new Error(t.noFile)
      const url = `${base}/fonts/families/${familyId}/faces?${new URLSearchParams({ weight, style })}`
      await upload(url, file, setShare, 'application/octet-stream').done
    },
    refreshes: [FAMILIES],
    onDone: () => {
      toast(t.faceMade)
      onClose()
    },
  })
  return (
    <Dialog title={t.addFace} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          add.submit(undefined)
        }}
      >
        <FormFailure error={add.error} />
        <Field label={t.fontFile} hint={t.fontFileHint}>
          <FileInput accept=".otf,.ttf,.woff2" onChange={({ target }) => setFile(target.files?.[0] ?? null)} />
        </Field>
        <Field label={t.weight}>
          <Select
            value={weight}
            onChange={({ target }) => setWeight(target.value)}
            options={WEIGHTS.map((value) => [value, value] as const)}
          />
        </Field>
        <Field label={t.style}>
          <Select
            value={style}
            onChange={({ target }) => setStyle(target.value)}
            options={(['normal', 'italic'] as const).map((value) => [value, t[value]] as const)}
          />
        </Field>
        {add.busy && <Bar share={share} label={t.addFace} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={add.busy}>
            {t.addFace}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const WEIGHTS = ['100', '200', '300', '400', '500', '600', '700', '800', '900']
