# Lane 0 waits for all lanes at a ballot, the others for all lanes at a warp.sync: neither can complete.
#: fault barrier_deadlock says=0_of_32_threads_have_ended;_warp_0_lanes_0x00000001_wait_at_castor.vote.ballot_for_lanes_0xffffffff_(pc_0x10014);_warp_0_lanes_0xfffffffe_wait_at_castor.warp.sync_for_lanes_0xffffffff_(pc_0x1000c)
  csrr t0, tid.x
  li t1, -1
  beqz t0, first
  castor.warp.sync t1
  ret
first:
  castor.vote.ballot t2, t1, t1
  ret
