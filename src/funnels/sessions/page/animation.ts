import { Elysia } from 'elysia'
import player from 'lottie-web/build/player/lottie_light.min.js' with { type: 'file' }
import licence from 'lottie-web/LICENSE.md' with { type: 'text' }
import { version } from 'lottie-web/package.json'
import { embeddedFile, IMMUTABLE } from '../../../base/http/embedded-file'
import { sha256Hex } from '../../../base/lib/hash'
import type { FunnelPage } from '../../../core/funnel/model'
import { hasBlock } from '../../../core/funnel/walk'

const PLAYER = `/f/-/player/${version}`

/**
 * Plays the animations of a page. The player is loaded when a page has one. A browser whose owner wants less motion gets
 * the first picture. What cannot be loaded stays the text in its place.
 */
export const ANIMATION_SCRIPT = `(()=>{
  const still=matchMedia('(prefers-reduced-motion:reduce)')
  let player,shown=[]
  const load=()=>player??=new Promise((done,fail)=>{
  const script=document.createElement('script')
  Object.assign(script,{src:'${PLAYER}/lottie.js',onload:done,onerror:()=>{player=undefined;fail()}})
  document.head.append(script)
  })
  const show=async(place)=>{
  place.dataset.begun=''
  try{
  const [animationData]=await Promise.all([fetch(place.dataset.animation).then((answer)=>answer.json()),load()])
  if(!place.isConnected)return
  const loop='loop' in place.dataset
  const animation=lottie.loadAnimation({container:place,renderer:'svg',loop,autoplay:!still.matches,animationData})
  shown.push({place,animation})
  animation.addEventListener('DOMLoaded',()=>{place.dataset.drawn='';place.querySelector('p').remove()})
  }catch{}
  }
  const start=()=>{
  for(const {place,animation} of shown)if(!place.isConnected)animation.destroy()
  shown=shown.filter(({place})=>place.isConnected)
  for(const place of document.querySelectorAll('.animation:not([data-begun])'))show(place)
  }
  still.addEventListener('change',()=>{
  for(const {animation} of shown)if(still.matches)animation.goToAndStop(0,true);else animation.play()
  })
  document.addEventListener('svc:page',start)
  start()
})()
`

/** The name changes with the content, so browsers may keep it for ever. */
export const ANIMATION_PATH = `/f/-/animation.${sha256Hex(ANIMATION_SCRIPT).slice(0, 16)}.js`

/** The script of animations, for a page that has one. */
export const animationScripts = (page: FunnelPage): string[] => (hasBlock(page, 'lottie') ? [ANIMATION_PATH] : [])

const TYPES = { script: 'text/javascript; charset=utf-8', text: 'text/plain; charset=utf-8' }
const hidden = { detail: { hide: true } } as const

/** The player of animations, which is the build without expressions: those would need `eval`. */
export const animationRoutes = () =>
  new Elysia()
    .get(ANIMATION_PATH, () => constant(ANIMATION_SCRIPT, TYPES.script), hidden)
    .get(`${PLAYER}/lottie.js`, ({ request }) => embeddedFile(request, player, TYPES.script), hidden)
    .get(`${PLAYER}/LICENSE.txt`, () => constant(licence, TYPES.text), hidden)

const constant = (text: string, type: string): Response =>
  new Response(text, {
    headers: { 'content-type': type, 'cache-control': IMMUTABLE, 'x-content-type-options': 'nosniff' },
  })
