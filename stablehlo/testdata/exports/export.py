"""Exports programs with JAX 0.10.2 as text, with inputs and results. Run by hand in a folder."""
import jax, jax.numpy as jnp, numpy as np
from jax import lax
r=np.random.RandomState(0)
def save(name,f,*a):
    open(name+'.mlir','w').write(jax.jit(f).lower(*a).as_text())
    np.savez(name+'_in.npz',**{f'a{i:02}':np.asarray(x) for i,x in enumerate(jax.tree.leaves(a))})
    out=jax.tree.leaves(jax.jit(f)(*a)); np.savez(name+'_out.npz',**{f'o{i:02}':np.asarray(x) for i,x in enumerate(out)})
f32=lambda *s:jnp.asarray(r.randn(*s),jnp.float32)
p=(f32(8,16),f32(16),f32(16,4),f32(4)); x=f32(5,8); y=jnp.asarray([0,1,2,3,0])
def loss(p,x,y):
    h=jax.nn.relu(x@p[0]+p[1]); l=h@p[2]+p[3]
    return -jnp.mean(jax.nn.log_softmax(l)[jnp.arange(5),y])
save('mlp',loss,p,x,y)
save('mlp_step',lambda p,x,y: jax.tree.map(lambda a,b:a-0.1*b,p,jax.grad(loss)(p,x,y)),p,x,y)
def lstm(w,xs):
    def cell(c,x):
        h,s=c; z=jnp.concatenate([x,h])@w; i,f,g,o=jnp.split(z,4)
        s=jax.nn.sigmoid(f)*s+jax.nn.sigmoid(i)*jnp.tanh(g); h=jax.nn.sigmoid(o)*jnp.tanh(s); return (h,s),h
    return lax.scan(cell,(jnp.zeros(4),jnp.zeros(4)),xs)[1].sum()
w=f32(7,16); xs=f32(6,3)
save('lstm',lstm,w,xs); save('lstm_grad',jax.grad(lstm),w,xs)
save('sample',lambda k: jax.random.normal(jax.random.wrap_key_data(k),(7,)),jnp.asarray([0,42],jnp.uint32))
save('wh',lambda x: lax.while_loop(lambda c:c[1]<100.,lambda c:(c[0]+1,c[1]*c[1]+1),(0,x)),jnp.float32(1.1))
def lenet(w1,w2,wd,x):
    h=lax.conv_general_dilated(x,w1,(1,1),'SAME'); h=lax.reduce_window(jax.nn.relu(h),-jnp.inf,lax.max,(1,1,2,2),(1,1,2,2),'VALID')
    h=jax.nn.relu(lax.conv_general_dilated(h,w2,(1,1),'VALID')); return (h.reshape(2,-1)@wd).sum()
a=(f32(3,1,3,3),f32(4,3,3,3),f32(64,5),f32(2,1,12,12))
save('lenet',lenet,*a); save('lenet_grad',jax.grad(lenet,argnums=(0,1,2)),*a)
def attn(q,k,v): return jax.nn.softmax(q@k.T/jnp.sqrt(8.))@v
save('attn_grad',jax.grad(lambda q,k,v:(attn(q,k,v)**2).sum(),argnums=(0,1,2)),f32(6,8),f32(6,8),f32(6,8))
save('sort',lambda x:(jnp.sort(x),jnp.argsort(x),jnp.argmax(x),jnp.median(x)),f32(17))
