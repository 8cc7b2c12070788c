import { CopyText } from '../../../kit/copy'
import { Dot } from '../../../kit/state'
import { useText } from '../../../text/catalogue'
import type { Domain } from './model'

/** The two records that the name needs, and what name servers said. */
export function DomainRecords({ domain: { verification, dns } }: { domain: Domain }) {
  const t = useText('domains')
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={t.records}>
      <table className="w-full text-sm max-md:block">
        <thead className="bg-sunken text-left text-xs text-ink-2 max-md:hidden">
          <tr>
            {[t.type, t.name, t.value, t.seen].map((title) => (
              <th key={title} scope="col" className="px-4 py-2 font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {[verification, dns].map(({ type, name, value, seen, ok }) => (
            <tr key={type} className="border-t border-line align-top max-md:block max-md:py-2">
              <td className="px-4 py-2 font-mono text-xs max-md:block max-md:py-1">{type}</td>
              <td className="px-4 py-2 max-md:block max-md:py-1">
                <CopyText text={name} />
              </td>
              <td className="px-4 py-2 max-md:block max-md:py-1">
                {value === null ? t.unknownAddress : <CopyText text={value} />}
              </td>
              <td className="px-4 py-2 max-md:block max-md:py-1">
                <span className="flex items-start gap-2">
                  <Dot tone={ok ? 'good' : 'warn'} />
                  <span className="font-mono text-xs wrap-anywhere">
                    {seen.length === 0 ? t.nothing : seen.join(', ')}
                  </span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
