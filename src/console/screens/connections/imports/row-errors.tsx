import { DownloadButton } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { PlainTable } from '../../../kit/table'
import { Count } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { Job } from './model'

const SHOWN = 50

/** The first rows that cannot be read, or about which there is a warning; the report has all of them. */
export function RowErrors({ job: { id, errors, filesDeletedAt } }: { job: Job }) {
  const t = useText('moving')
  const { api } = useProject()
  return (
    <Card
      title={t.rowErrors}
      flush
      aside={
        filesDeletedAt === null && (
          <DownloadButton href={`${api}/imports/${id}/report.csv`}>{t.reportCsv}</DownloadButton>
        )
      }
      footer={errors.length > SHOWN ? t.firstOf(SHOWN, errors.length) : undefined}
    >
      <PlainTable
        keepsColumns
        label={t.rowErrors}
        rows={errors.slice(0, SHOWN)}
        keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
        columns={[
          { title: t.line, cell: ({ line }) => <Count value={line} />, isNumber: true },
          { title: t.column, cell: ({ column }) => <span className="font-mono text-xs">{column ?? '—'}</span> },
          { title: t.whatIsWrong, cell: ({ message }) => message, whole: ({ message }) => message },
        ]}
      />
    </Card>
  )
}
