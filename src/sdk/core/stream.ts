import type { Core } from './core'
import type { Decoder, StreamReader } from './globals'

const SILENCE = 60_000
const LONGEST_BACKOFF = 6
const POLL = 60_000

export interface StreamHooks {
  bound(): Promise<unknown>
  received(data: unknown): void
  poll(): Promise<unknown>
}

/** Follows the configuration until the returned function is called. Where `fetch` cannot stream, it asks every minute. */
export function openStream(core: Core, hooks: StreamHooks): () => void {
  const { clock, globals } = core
  let isOpen = true
  let failures = 0
  let timer: unknown
  let cut = () => {}

  const wait = (ms: number) => {
    if (isOpen) timer = clock.setTimeout(run, ms)
  }
  const run = async (): Promise<void> => {
    const control = globals.AbortController && new globals.AbortController()
    cut = () => control?.abort()
    let reader: StreamReader | undefined
    try {
      await hooks.bound()
      const { deviceKey } = core.identity()
      const path = `/config/stream?subscriberId=${encodeURIComponent(deviceKey)}`
      const headers = { Authorization: `Bearer ${core.apiKey}`, Accept: 'text/event-stream' }
      const response = await core.fetch(core.base + path, {
        method: 'GET',
        headers,
        ...(control && { signal: control.signal }),
      })
      if (response.status < 300) {
        reader = response.body?.getReader()
        if (!reader || !globals.TextDecoder) {
          await hooks.poll()
          return wait(POLL)
        }
        cut = () => void reader?.cancel().catch(() => {})
        await follow(reader, new globals.TextDecoder())
      } else if (response.status < 500 && response.status !== 429)
        return core.log('error', `The stream was refused with ${response.status}`)
    } catch (error) {
      core.log('debug', error)
    }
    clock.clearTimeout(timer)
    wait(core.backoff(Math.min(++failures, LONGEST_BACKOFF)))
  }
  const follow = async (reader: StreamReader, decoder: Decoder): Promise<void> => {
    let text = ''
    while (isOpen) {
      clock.clearTimeout(timer)
      timer = clock.setTimeout(() => cut(), SILENCE)
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) take(frame)
    }
  }
  const take = (frame: string): void => {
    const data = /^data: (\{.*)/m.exec(frame)?.[1]
    if (!/^event: i/m.test(frame) || !data || !isOpen) return
    try {
      hooks.received(JSON.parse(data))
      failures = 0
    } catch {}
  }
  void run()
  return () => {
    isOpen = false
    clock.clearTimeout(timer)
    cut()
  }
}
