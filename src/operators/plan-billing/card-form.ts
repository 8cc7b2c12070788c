import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { AppError } from '../../base/errors'
import { sha256Hex } from '../../base/lib/hash'
import { requireCloud } from '../../projects/billing/service'
import { PROVIDER_SCRIPT, PROVIDER_SOURCES } from '../../stores/payment/browser-script'

/**
 * Shows the provider's fields for the secret that the parent page sends, confirms it, and reports to that page. It takes
 * messages of its own origin only, and the first secret only.
 */
const SCRIPT = `(()=>{let begun=false
const form=document.getElementById('form'),button=document.getElementById('send'),fault=document.getElementById('fault')
const say=(text)=>{fault.textContent=text||'';fault.hidden=!text}
const tell=(message)=>parent.postMessage({from:'svc-card',...message},location.origin)
const begin=({secret,kind,words,isDark})=>{
document.documentElement.style.colorScheme=isDark?'dark':'light'
document.documentElement.lang=words.language
button.textContent=words.send
if(!window.Stripe)return say(words.unavailable)
const stripe=Stripe(form.dataset.key,{locale:words.language})
const elements=stripe.elements({clientSecret:secret,appearance:{theme:isDark?'night':'stripe'}})
const fields=elements.create('payment')
fields.on('ready',()=>{button.disabled=false})
fields.on('loaderror',()=>say(words.unavailable))
fields.mount('#fields')
form.addEventListener('submit',async(event)=>{
event.preventDefault()
if(button.disabled)return
button.disabled=true
say('')
try{
const order={elements,redirect:'if_required',confirmParams:{return_url:location.origin+location.pathname}}
const {error}=await (kind==='setup'?stripe.confirmSetup(order):stripe.confirmPayment(order))
if(!error)return tell({isDone:true})
say(error.message||words.declined)
}catch{say(words.unavailable)}
button.disabled=false
})
}
addEventListener('message',({source,origin,data})=>{
if(begun||source!==parent||origin!==location.origin||!data||data.to!=='svc-card')return
begun=true
begin(data)
})
new ResizeObserver(()=>tell({height:document.documentElement.scrollHeight})).observe(form)
tell({isReady:true})
})()
`

const SCRIPT_PATH = `/billing/card-form.${sha256Hex(SCRIPT).slice(0, 16)}.js`

const STYLE = `
html { font: 0.8125rem/1.25rem system-ui, sans-serif; color-scheme: light dark; }
body { margin: 0; background: transparent; }
form { display: grid; gap: 1rem; padding: 0.25rem; }
p { margin: 0; }
button { justify-self: end; min-height: 2.25rem; padding: 0 0.75rem; font: inherit; }
`

const hidden = { detail: { hide: true } } as const

/**
 * The provider's card form. It is a document of its own within the console, so that the console itself never loads a
 * foreign script. It has no secret in it: the console sends that.
 */
export const cardFormRoutes = (ctx: Context) =>
  new Elysia()
    .get('/billing/card-form', () => formPage(ctx), hidden)
    .get(SCRIPT_PATH, () => new Response(SCRIPT, { headers: SCRIPT_HEADERS }), hidden)

const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
}

function formPage(ctx: Context): Response {
  const { provider } = requireCloud(ctx)
  if (provider === null || provider === 'TEST_STORE')
    throw new AppError('FEATURE_NOT_CONFIGURED', { feature: 'billing' })
  const nonce = ctx.ids.token(22)
  return new Response(htmlOf(provider.publishableKey, nonce), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policyOf(nonce),
      'permissions-policy': 'payment=(self "https://js.stripe.com")',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}

/** The key matches `pk_(test|live)_\w+`, so it needs no escaping. */
const htmlOf = (key: string, nonce: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Card</title>
<style nonce="${nonce}">${STYLE}</style></head>
<body><form id="form" data-key="${key}"><div id="fields"></div><p id="fault" role="alert" hidden></p>
<button id="send" disabled>…</button></form>
<script src="${PROVIDER_SCRIPT}"></script><script src="${SCRIPT_PATH}"></script></body>
</html>
`

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${PROVIDER_SOURCES.script.join(' ')}`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `connect-src ${PROVIDER_SOURCES.connect.join(' ')}`,
    `frame-src ${PROVIDER_SOURCES.frame.join(' ')}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
