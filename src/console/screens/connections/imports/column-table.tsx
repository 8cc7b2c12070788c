import { Select } from '../../../kit/field'
import { Chip } from '../../../kit/state'
import { useText } from '../../../text/catalogue'
import { type Draft, fieldOf, withField } from './mapping-draft'
import { FIELDS, type Job } from './model'

interface ColumnTableProps {
  job: Job
  draft: Draft
  onChange: (draft: Draft) => void
}

export function ColumnTable({ job, draft, onChange }: ColumnTableProps) {
  const t = useText('moving')
  // Without a saved mapping, the mapping is the proposal.
  const proposed = job.revision === 1 ? (job.mapping?.columns ?? {}) : {}
  return (
    <table className="w-full table-fixed border-collapse text-sm" aria-label={t.columnsOfFile}>
      <thead>
        <tr className="h-9 bg-sunken text-xs text-ink-2">
          <th scope="col" className="w-2/5 px-4 text-left font-medium">
            {t.column}
          </th>
          <th scope="col" className="px-4 text-left font-medium">
            {t.field}
          </th>
        </tr>
      </thead>
      <tbody>
        {job.headers.map((header, index) => {
          const field = fieldOf(draft, header)
          return (
            <tr key={index} className="border-t border-line">
              <td className="px-4 py-1 font-mono text-xs wrap-anywhere md:truncate" title={header}>
                <bdi>{header}</bdi>
              </td>
              <td className="px-4 py-1">
                <div className="flex flex-wrap items-center gap-2">
                  <div className="min-w-0 max-w-64 flex-1 max-md:min-w-40">
                    <Select
                      aria-label={t.fieldOf(header)}
                      value={field}
                      onChange={({ target }) => onChange(withField(draft, header, target.value))}
                      options={[['', t.notImported], ...FIELDS.map((one) => [one, one] as const)]}
                      className="font-mono text-xs"
                    />
                  </div>
                  {field !== '' && proposed[field] === header && <Chip tone="info">{t.proposed}</Chip>}
                </div>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
