import { sha256Hex } from '../../../base/lib/hash'

/**
 * Makes the steps of a page without loading it again: forms are sent in the background, the button of the browser goes
 * one page back, timers run, and loader pages continue alone. Blocks of HTML may answer fields of their page and go
 * on, and nothing else: only names that start with `a.` are theirs. Every page works without it.
 */
export const PAGE_SCRIPT = `(()=>{
  let busy=false
  const page=()=>document.getElementById('page')
  const send=async(form,name,isBack)=>{
  if(busy)return
  busy=true
  const data=new URLSearchParams(new FormData(form))
  if(name!=='')data.set('action',name)
  try{
  const answer=await fetch(form.getAttribute('action')||location.href,{method:'POST',body:data,headers:{accept:'text/html','x-svc-step':'1'}})
  const text=await answer.text()
  const [style='',css='']=/<style[^>]*>([^<]*)<.style>/.exec(text)||[]
  const next=new DOMParser().parseFromString(text.replace(style,''),'text/html')
  if(!next.getElementById('page')||next.documentElement.hasAttribute('data-load')||next.querySelector('meta[http-equiv=refresh]')){location.replace(location.href);return}
  document.querySelector('style').textContent=css
  document.title=next.title
  document.body.replaceWith(document.adoptNode(next.body))
  for(const one of next.querySelectorAll('head script[src]')){
  const src=one.getAttribute('src')
  if(!document.querySelector('script[src="'+src+'"]'))document.head.append(Object.assign(document.createElement('script'),{src}))
  }
  document.dispatchEvent(new Event('svc:page'))
  const fault=document.querySelector('[aria-invalid=true],.fault')
  if(!isBack&&!fault)history.pushState(1,'')
  scrollTo(0,0)
  const first=document.querySelector('[aria-invalid=true]')||document.querySelector('h1')
  if(first){if(first.tagName==='H1')first.tabIndex=-1;first.focus()}
  busy=false
  start()
  }catch{busy=false;form.submit()}
  }
  const after=(seconds,name)=>{
  const form=page()
  setTimeout(()=>{if(page()===form)send(form,name,false)},seconds*1000)
  }
  const start=()=>{
  const form=page()
  if(!form||document.documentElement.hasAttribute('data-load'))return
  const timers=[...document.querySelectorAll('progress.timer')]
  for(const timer of timers){
  const seconds=Number(timer.dataset.seconds)
  const begun=performance.now()
  timer.max=seconds
  const run=()=>{if(!timer.isConnected)return
  timer.value=Math.min((performance.now()-begun)/1000,seconds)
  if(timer.value<seconds)setTimeout(run,200)}
  run()
  if(timer.dataset.then)after(seconds,timer.dataset.then)
  }
  if(form.dataset.type==='loader'&&!timers.some((timer)=>timer.dataset.then))after(3,'next')
  }
  const fill=(form,answer)=>{
  for(const [id,given] of Object.entries(answer).slice(0,100)){
  const name='a.'+id,values=[given].flat().slice(0,100).map((value)=>String(value).slice(0,4000))
  for(const one of [...form.elements])if(one.name===name&&one.dataset.block)one.remove()
  const held=[...form.elements].filter((one)=>one.name===name)
  for(const one of held){if(/radio|checkbox/.test(one.type))one.checked=values.includes(one.value);else one.value=values[0]||''}
  if(held.length===0)for(const value of values){
  const input=document.createElement('input')
  Object.assign(input,{type:'hidden',name,value})
  input.dataset.block='1'
  form.append(input)}
  }
  }
  addEventListener('message',({source,data})=>{
  const form=page()
  const frames=form?[...form.querySelectorAll('iframe.html')]:[]
  if(!data||typeof data!=='object'||!frames.some((one)=>one.contentWindow===source))return
  if(data.answer&&typeof data.answer==='object')fill(form,data.answer)
  if(data.action==='next'&&form.reportValidity())send(form,'next',false)
  })
  document.addEventListener('submit',(event)=>{
  const form=event.target
  if(form.id!=='page'||form.method!=='post'||document.documentElement.hasAttribute('data-load'))return
  event.preventDefault()
  const name=event.submitter&&event.submitter.name==='action'?event.submitter.value:'next'
  send(form,name,name==='back')
  })
  addEventListener('popstate',()=>{const form=page();if(form)send(form,'back',true)})
  start()
})()
`

/** The name changes with the content, so browsers may keep it for ever. */
export const SCRIPT_PATH = `/f/-/page.${sha256Hex(PAGE_SCRIPT).slice(0, 16)}.js`
