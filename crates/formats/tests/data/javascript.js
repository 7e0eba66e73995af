// Made javascript.json with node 20: node javascript.js > javascript.json
const nums=["0","-0","1","1.0","-1.50","0.1","0.30000000000000004","1e3","1e20","1e21","123456789012345680000","1.5e300","1e-6","1e-7","1.5e-7","123e-20","5e-324","1.7976931348623157e308","0.3333333333333333","100","1e400","-1e21","4.35","0.000001","9007199254740992","9007199254740991","-9007199254740991","1.0000000000000002","2.5e-9","98765432109876543210","1e5","12345.678e-2","3.0e0","20.0","1.25e2"];
const N=nums.map(n=>[n,JSON.stringify(JSON.parse(n))]);
const sort=v=>Array.isArray(v)?v.map(sort):v&&typeof v==="object"?Object.fromEntries(Object.entries(v).sort(([a],[b])=>a<b?-1:a>b?1:0).map(([k,x])=>[k,sort(x)])):v;
const docs=['{"b":1,"a":2}','{"10":1,"9":2,"a":3,"01":4,"-1":5,"4294967294":6,"4294967295":7,"1.5":8,"":9}','{"é":1,"z":2,"Z":3,"😀":4,"\uff5e":5,"_":6}'.replace('\uff5e','～'),'{"x":{"b":[],"a":{}},"l":[{"d":1,"c":[1,[2]]}]}','{"s":"\\u0000\\u001f\\u007f\\b\\f\\n\\r\\t\\"\\\\/é\\u2028"}','[]','{}','[[],{}]','"x"','null','{"work_item":null,"agent_id":"a","progress":1.0,"third":0.3333333333333333}'];
const D=docs.map(d=>[d,JSON.stringify(sort(JSON.parse(d)),null,2)+"\n",JSON.stringify(sort(JSON.parse(d)))+"\n"]);
console.log(JSON.stringify({node:process.version,numbers:N,documents:D},null,1));
