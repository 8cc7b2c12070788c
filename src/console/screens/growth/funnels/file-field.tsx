import { useState } from 'react'
import type { AssetKind } from '../../../../core/funnel/files'
import { Button } from '../../../kit/button'
import { AssetPicker } from '../../../parts/asset-picker'
import { useText } from '../../../text/catalogue'
import type { FunnelFiles } from './files'

interface FileFieldProps {
  kind: AssetKind
  label?: string
  /** The id of the file; empty = none. */
  value: string
  files: FunnelFiles
  onChange: (id: string | null) => void
}

/** A file of the project, chosen from those that it has. */
export function FileField({ kind, label, value, files, onChange }: FileFieldProps) {
  const t = useText('funnels')
  const [isOpen, setOpen] = useState(false)
  const known = files.assets.get(value)
  const name = label ?? t.asset
  return (
    <div className="grid gap-1">
      <span className="text-sm font-medium">{name}</span>
      <Button onClick={() => setOpen(true)}>
        <span className="sr-only">{name}: </span>
        <span className="truncate">{known?.name ?? (value === '' ? t.chooseFile : value)}</span>
      </Button>
      {isOpen && (
        <AssetPicker
          kind={kind}
          chosen={value === '' ? null : value}
          onChoose={onChange}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
