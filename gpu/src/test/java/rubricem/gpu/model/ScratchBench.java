package rubricem.gpu.model;
import ai.djl.Device; import ai.djl.ndarray.*; import java.util.*; import java.util.concurrent.*;
import rubricem.gpu.script.Arrays; import rubricem.gpu.weights.*; import rubricem.gpu.model.MicroBatch.Document;
class ScratchBench {
  public static void main(String[] a) throws Exception {
    Map<String,int[]> S=Map.of("tiny1m",new int[]{512,128,6,4,2,32,352,8,512},"small10m",new int[]{4096,320,8,5,5,64,896,8,512},"135m",new int[]{49152,576,30,9,3,64,1536,2,512});
    int[] s=S.get(a[0]); int workers=Integer.parseInt(a[1]); int per=Integer.parseInt(a[2]); Precision pr=Precision.valueOf(a[3]); int reps=Integer.parseInt(a[4]);
    QwenShape shape=QwenShape.of(s[0],s[1],s[2],s[3],s[4],s[5],s[6],true,2048);
    try(Qwen3 m=Qwen3.of(shape,new FreshWeights(shape,1),Device.cpu(),pr,RotaryFrequencies.FLOAT32,null)) {
      int threads=Integer.getInteger("intra",1);
      ExecutorService pool=Executors.newFixedThreadPool(workers);
      for(int w=0;w<workers;w++) pool.submit(()->{ai.djl.pytorch.jni.JniUtils.setNumThreads(threads);}).get();
      SplittableRandom r=new SplittableRandom(1);
      List<List<Document>> mbs=new ArrayList<>();
      for(int i=0;i<s[7];i+=per){ List<Document> l=new ArrayList<>(); for(int j=0;j<per;j++){int[] ids=new int[s[8]]; for(int k=0;k<ids.length;k++) ids[k]=r.nextInt(s[0]); l.add(Document.whole(ids));} mbs.add(l);}
      List<Arrays> d=new ArrayList<>(); for(int w=0;w<workers;w++) d.add(m.gradients(m.manager()));
      for(int rep=0;rep<reps;rep++){
        long t0=System.nanoTime(); m.refresh(); long t1=System.nanoTime();
        long[] fw=new long[workers], bw=new long[workers];
        List<Future<?>> fs=new ArrayList<>();
        for(int w=0;w<workers;w++){ int ww=w; fs.add(pool.submit(()->{ ai.djl.pytorch.jni.JniUtils.setNumThreads(threads); for(int i=ww;i<mbs.size();i+=workers){ try(NDManager sc=m.manager().newSubManager()){ long x=System.nanoTime(); ForwardPass p=m.forward(sc,MicroBatch.of(mbs.get(i)),ForwardPlan.keepAll()); double[] g=new double[p.scores().logProbs().length]; java.util.Arrays.fill(g,-1e-4); long y=System.nanoTime(); m.backward(p,g,d.get(ww)); fw[ww]+=y-x; bw[ww]+=System.nanoTime()-y; } } }));}
        for(Future<?> f:fs) f.get();
        long t2=System.nanoTime();
        System.out.printf("rep %d refresh %.1f ms step %.1f ms fw %.1f bw %.1f tok/s %.0f%n",rep,(t1-t0)/1e6,(t2-t1)/1e6,fw[0]/1e6,bw[0]/1e6,s[7]*s[8]/((t2-t0)/1e9));
      }
      pool.shutdown();
    }
  }
}
