import { Elysia } from 'elysia'
import type { Context } from '../../base/context'
import { ANIMATION_PATH } from '../sessions/page/animation'

/** Where the editor of the console shows the page that is being edited. */
export const CANVAS_PATH = '/f/-/canvas'

/**
 * Shows the HTML that the window around it sends, without its scripts: the style sheet is adopted, the body is put in
 * place. A click only sends the id of the block to the window. Tab does not stop inside, because nothing in
 * here can be used. Animations play as they do for visitors; one that is still there after a change continues.
 */
const SCRIPT = `(()=>{
  const sheet=new CSSStyleSheet()
  document.adoptedStyleSheets=[sheet]
  const mark='[data-chosen]{outline:2px solid var(--accent);outline-offset:4px;border-radius:4px}[data-block]{cursor:pointer}'
  const show=({html,chosen})=>{
  const [style='',css='']=/<style[^>]*>([^<]*)<.style>/.exec(html)||[]
  const next=new DOMParser().parseFromString(html.replace(style,''),'text/html')
  sheet.replaceSync(css+mark)
  document.documentElement.lang=next.documentElement.lang
  document.documentElement.dir=next.documentElement.dir
  const body=document.adoptNode(next.body)
  for(const one of body.querySelectorAll('a,button,input,select,textarea,summary,iframe,video'))one.tabIndex=-1
  for(const one of body.querySelectorAll('iframe'))one.remove()
  const block=[...body.querySelectorAll('[data-block]')].find((one)=>one.dataset.block===chosen)
  if(block)block.dataset.chosen=''
  const {scrollX,scrollY}=window
  const moving=[...document.querySelectorAll('.animation[data-drawn]')]
  for(const place of body.querySelectorAll('.animation')){
  const at=moving.findIndex((one)=>one.dataset.animation===place.dataset.animation&&one.dataset.loop===place.dataset.loop)
  const [same]=at<0?[]:moving.splice(at,1)
  if(!same)continue
  for(const name of ['role','aria-label','aria-hidden'])if(place.hasAttribute(name))same.setAttribute(name,place.getAttribute(name));else same.removeAttribute(name)
  place.replaceWith(same)
  }
  document.body.replaceWith(body)
  scrollTo(scrollX,scrollY)
  document.dispatchEvent(new Event('svc:page'))
  }
  addEventListener('message',({source,data})=>{
  if(source===parent&&data&&typeof data.html==='string')show(data)
  })
  document.addEventListener('click',(event)=>{
  event.preventDefault()
  const block=event.target.closest('[data-block]')
  if(block)parent.postMessage({block:block.dataset.block},'*')
  },true)
  document.addEventListener('submit',(event)=>event.preventDefault(),true)
  parent.postMessage({ready:true},'*')
})()`

/** The script of animations loads its player, which `strict-dynamic` allows; no other script can be added to the page. */
const policyOf = (nonce: string): string =>
  `sandbox allow-scripts; default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; connect-src 'self'; img-src 'self' data:; media-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`

/** An empty page that draws what the editor of funnels sends to it. It knows no visitor and reads nothing. */
export const canvasRoute = (ctx: Context) =>
  new Elysia().get(
    CANVAS_PATH,
    () => {
      const nonce = ctx.ids.token(22)
      const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Preview</title></head><body><script nonce="${nonce}" src="${ANIMATION_PATH}"></script><script nonce="${nonce}">${SCRIPT}</script></body></html>`
      return new Response(html, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'content-security-policy': policyOf(nonce),
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        },
      })
    },
    { detail: { hide: true } },
  )
