import { useEffect, useRef } from 'react'
import type { FunnelPage } from '../../../../../core/funnel/model'
import { cx } from '../../../../lib/class-names'
import { useText } from '../../../../text/catalogue'
import { pageName } from '../lines'
import type { Builder } from '../use-funnel-edit'
import { useFunnelWords } from '../use-words'
import { drawPage } from './draw'
import { usePrices } from './use-prices'

const FRAME = '/f/-/canvas'

interface CanvasProps {
  builder: Builder
  page: FunnelPage
  locale: string
  answers: Readonly<Record<string, unknown>>
  device: 'phone' | 'desk'
  look: 'light' | 'dark'
  chosen: string | null
  onChoose: (id: string) => void
}

/** What visitors see, by the renderer itself, in a frame that can reach nothing. A click chooses the block. */
export function Canvas({ builder, page, locale, answers, device, look, chosen, onChoose }: CanvasProps) {
  const t = useText('funnels')
  const words = useFunnelWords()
  const { state, files } = builder
  const prices = usePrices(state.settings.offering)
  const frame = useRef<HTMLIFrameElement>(null)
  const html = drawPage({ state, page, locale, answers, look, prices, files })
  const message = useRef({ html, chosen })
  message.current = { html, chosen }
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow || data === null || typeof data !== 'object') return
      if ('ready' in data) frame.current?.contentWindow?.postMessage(message.current, '*')
      if ('block' in data && typeof data.block === 'string') choose.current(data.block)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is in the message
  useEffect(() => {
    // The frame has no origin, so no other one can be named.
    frame.current?.contentWindow?.postMessage(message.current, '*')
  }, [html, chosen])
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-sunken p-4">
      <iframe
        ref={frame}
        src={FRAME}
        sandbox="allow-scripts"
        title={t.previewOf(pageName(page, state, words))}
        className={cx(
          'mx-auto block h-180 rounded-dialog border border-line-2 bg-raised',
          device === 'phone' ? 'w-[390px] max-w-full' : 'w-[1024px]',
        )}
      />
    </div>
  )
}
