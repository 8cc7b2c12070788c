import type { Schemas } from '../api/schemas'
import { Switch } from '../kit/field'
import { useText } from '../text/catalogue'
import { NOTICE_KINDS, type NoticeKind } from './notice-kinds'

type Preferences = Schemas['NotificationPreferences']
export type Channel = keyof Preferences['channels']

export const CHANNELS = ['inapp', 'email', 'push'] as const satisfies readonly Channel[]
interface MatrixProps {
  values: Pick<Preferences, 'channels' | 'kinds'>
  disabled: boolean
  onChannel: (channel: Channel, isOn: boolean) => void
  onKind: (kind: NoticeKind, channel: Channel, isOn: boolean) => void
}

/** Which news goes where: a row for all news, and one for each kind. */
export function NoticeMatrix({ values, disabled, onChannel, onKind }: MatrixProps) {
  const t = useText('account')
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse text-sm" aria-label={t.whatGoesWhere}>
        <thead>
          <tr className="h-9 bg-sunken text-xs text-ink-2">
            <th scope="col" className="px-4 text-left font-medium">
              {t.news}
            </th>
            {CHANNELS.map((channel) => (
              <th key={channel} scope="col" className="px-4 text-right font-medium">
                {t.channel[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="border-t border-line">
            <th scope="row" className="px-4 py-2 text-left font-medium">
              {t.allNews}
              <span className="block text-xs font-normal text-ink-2">{t.allNewsHint}</span>
            </th>
            {CHANNELS.map((channel) => (
              <td key={channel} className="px-4 py-2 text-right">
                <Switch
                  hideLabel
                  label={`${t.allNews}: ${t.channel[channel]}`}
                  checked={values.channels[channel]}
                  disabled={disabled}
                  onChange={(isOn) => onChannel(channel, isOn)}
                />
              </td>
            ))}
          </tr>
          {NOTICE_KINDS.map((kind) => (
            <tr key={kind} className="border-t border-line">
              <th scope="row" className="px-4 py-2 text-left font-normal">
                {t.kind[kind].name}
                <span className="block text-xs text-ink-2 max-md:hidden">{t.kind[kind].hint}</span>
              </th>
              {CHANNELS.map((channel) => (
                <td key={channel} className="px-4 py-2 text-right">
                  <Switch
                    hideLabel
                    label={`${t.kind[kind].name}: ${t.channel[channel]}`}
                    checked={values.channels[channel] && values.kinds[kind][channel]}
                    disabled={disabled || !values.channels[channel]}
                    onChange={(isOn) => onKind(kind, channel, isOn)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The body of a change of one kind in one channel. */
export const kindChange = (kinds: Preferences['kinds'], kind: NoticeKind, channel: Channel, isOn: boolean) => ({
  kinds: { [kind]: { ...kinds[kind], [channel]: isOn } },
})
