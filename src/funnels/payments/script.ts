import { sha256Hex } from '../../base/lib/hash'

/**
 * Collects a payment with the fields of the provider. A promotion code counts once the page has shown its price. The provider is asked to check them before anything is awaited, for
 * Safari opens Apple Pay only within the tap.
 */
export const PAY_SCRIPT = `(()=>{
const place=document.getElementById('provider'),form=document.getElementById('page'),button=document.getElementById('provider-pay')
if(!form)return
const {key,account,prices,words,layout,wallet}=place?place.dataset:{}
const say=JSON.parse(words||'{}'),costs=JSON.parse(prices||'{}')
const member=(name)=>form.elements.namedItem(name)
const session=member('session').value,token=member('token').value
const fault=document.getElementById('provider-fault')
const tell=(text)=>{fault.textContent=text||'';fault.hidden=!text}
const call=async(path,body)=>{
const answer=await fetch('/public/funnel-sessions/'+session+'/'+path,{method:body?'POST':'GET',headers:{'content-type':'application/json','x-svc-funnel-session':token},...(body&&{body:JSON.stringify(body)})})
return {status:answer.status,...await answer.json()}
}
const reload=()=>location.replace(location.pathname)
const wait=async()=>{
for(let count=0;count<24;count++){
await new Promise((done)=>setTimeout(done,5000))
const {data}=await call('state')
if(data&&(data.state==='PAID'||data.state==='COMPLETED'))break
}
reload()
}
if(!place){wait();return}
if(!window.Stripe){tell(say.unavailable);return}
const stripe=Stripe(key,account?{stripeAccount:account}:{})
const chosen=()=>{const held=member('package');return held?held.value:''}
const modeOf=()=>{const cost=costs[chosen()]||Object.values(costs)[0];return {mode:cost.mode,amount:cost.due,currency:cost.currency}}
const code=member('promotion_code'),apply=document.querySelector('button[value=promotion]')
const applied=()=>code?code.dataset.applied:''
const elements=stripe.elements({...modeOf(),appearance:{theme:'flat'}})
if(layout!=='express_only')elements.create('payment').mount('#fields')
if(layout!=='card'){
const express=elements.create('expressCheckout',{emailRequired:wallet!=='without_email'})
express.mount('#express')
express.on('confirm',(event)=>pay(event.billingDetails&&event.billingDetails.email))
}
form.addEventListener('change',()=>elements.update(modeOf()))
button.disabled=false
button.hidden=layout==='express_only'
button.addEventListener('click',()=>{
if(code&&code.value.trim()!==applied())return form.requestSubmit(apply)
if(form.reportValidity())pay()
})
form.addEventListener('submit',(event)=>{
if(!event.submitter||event.submitter.name!=='pay'||event.submitter===apply)return
event.preventDefault()
if(!button.hidden)pay()
})
const pay=async(walletEmail)=>{
if(button.disabled)return
button.disabled=true
tell('')
try{await attempt(walletEmail)}catch{tell(say.unavailable)}
button.disabled=false
}
const attempt=async(walletEmail)=>{
const checked=await elements.submit()
if(checked.error)return tell(checked.error.message)
const shown=document.getElementsByName('shown:'+chosen())[0]
const begun=await call('payment-intent',{package_identifier:chosen(),page_id:member('page').value,email:member('email').value||walletEmail||'',...(shown&&{expected_amount_micros:Number(shown.value)}),...(applied()&&{promotion_code:applied()})})
if(begun.error)return refuse(begun.error)
const {client_secret:clientSecret,kind,payment_id}=begun.data
const confirmParams={return_url:location.origin+'/f/-/return?session='+session+'&payment_id='+payment_id}
const order={elements,clientSecret,confirmParams,redirect:'if_required'}
const paid=await (kind==='setup'?stripe.confirmSetup(order):stripe.confirmPayment(order))
if(paid.error)return tell(paid.error.message||say.declined)
const confirmed=await call('confirm',{payment_id})
if(!confirmed.error||confirmed.error.code==='PAYMENT_ALREADY_RECORDED')return reload()
if(confirmed.error.code==='PAYMENT_NOT_SETTLED_YET')return reload()
refuse(confirmed.error)
}
const refuse=({code,details})=>{
if(code==='PAYMENT_ALREADY_RECORDED')return reload()
if(details&&details.reason==='price_changed'){location.replace(location.pathname+'?payment=price_changed&package='+encodeURIComponent(chosen()));return}
tell(code==='PAYMENT_IN_FLIGHT'?say.in_flight:code==='PAYMENT_PROVIDER_REJECTED'?say.rejected:code==='VALIDATION_ERROR'?say[details&&say[details.field]?details.field:'package']:say.unavailable)
}
})()
`

export const PAY_SCRIPT_PATH = `/f/-/pay.${sha256Hex(PAY_SCRIPT).slice(0, 16)}.js`
