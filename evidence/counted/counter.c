/* A tool for valgrind that counts the instructions and system calls of a program, and the bytes that its instructions read and write;
 * those in memory that a memfd shares (a window's pixels) are also counted separately. clock.c asks it for the counts. */
#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_transtab.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "valgrind.h"

#include "counted.h"

static struct counts counts;
static Bool is_counting;

/* The code that is not counted. */
static Addr out_start, out_end;
static Bool is_left_out(Addr place) { return place >= out_start && place < out_end; }

/* Mapped memory of memfds, unsorted. */
enum { most_areas = 64 };
static struct area { Addr start, end; } areas[most_areas];
static UInt area_count;
/* All areas are between these, so that most accesses are judged by one comparison. */
static Addr areas_start = ~(Addr)0, areas_end;

static Bool is_pixel(Addr place) {
  if (place < areas_start || place >= areas_end) return False;
  for (UInt i = 0; i < area_count; i++)
    if (place >= areas[i].start && place < areas[i].end) return True;
  return False;
}

static void add_area(Addr start, Addr end) {
  tl_assert(area_count < most_areas);
  areas[area_count++] = (struct area){start, end};
  if (start < areas_start) areas_start = start;
  if (end > areas_end) areas_end = end;
}

static void remove_area(Addr start, SizeT size) {
  for (UInt i = area_count; i-- > 0;)
    if (areas[i].start >= start && areas[i].end <= start + size) areas[i] = areas[--area_count];
}

static VG_REGPARM(2) void note_read(Addr place, SizeT size) {
  counts.read += size;
  if (is_pixel(place)) counts.pixels_read += size;
}

static VG_REGPARM(2) void note_write(Addr place, SizeT size) {
  counts.written += size;
  if (is_pixel(place)) counts.pixels_written += size;
}

/* MARK: instrumentation */

/* Adds a call of `note` for an access; `guard` is NULL for one that is always made. */
static void add_access(IRSB *block, Bool is_write, IRExpr *place, Int size, IRExpr *guard) {
  IRDirty *dirty = is_write
    ? unsafeIRDirty_0_N(2, "note_write", VG_(fnptr_to_fnentry)(note_write), mkIRExprVec_2(place, mkIRExpr_HWord(size)))
    : unsafeIRDirty_0_N(2, "note_read", VG_(fnptr_to_fnentry)(note_read), mkIRExprVec_2(place, mkIRExpr_HWord(size)));
  if (guard) dirty->guard = guard;
  addStmtToIRSB(block, IRStmt_Dirty(dirty));
}

/* Adds the instructions since the last call to the count. */
static void add_instructions(IRSB *block, UInt *number) {
  if (*number == 0) return;
  IRExpr *place = mkIRExpr_HWord((HWord)&counts.instructions);
  IRTemp before = newIRTemp(block->tyenv, Ity_I64), after = newIRTemp(block->tyenv, Ity_I64);
  addStmtToIRSB(block, IRStmt_WrTmp(before, IRExpr_Load(Iend_LE, Ity_I64, place)));
  addStmtToIRSB(
    block, IRStmt_WrTmp(after, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(before), IRExpr_Const(IRConst_U64(*number)))));
  addStmtToIRSB(block, IRStmt_Store(Iend_LE, place, IRExpr_RdTmp(after)));
  *number = 0;
}

/* Part of valgrind's library: what the instruction CPUID answers on an Intel Core 2. */
extern void amd64g_dirtyhelper_CPUID_sse3_and_cx16(void *state);

/* Makes CPUID answer the same on every machine: libraries choose functions, and sizes for them, by the processor's extensions and caches. */
static void fix_processor(IRSB *block) {
  for (Int i = 0; i < block->stmts_used; i++) {
    IRStmt *statement = block->stmts[i];
    if (!statement || statement->tag != Ist_Dirty) continue;
    IRCallee **callee = &statement->Ist.Dirty.details->cee;
    if (VG_(strncmp)((*callee)->name, "amd64g_dirtyhelper_CPUID", 24) != 0) continue;
    *callee = mkIRCallee(0, "CPUID", VG_(fnptr_to_fnentry)(amd64g_dirtyhelper_CPUID_sse3_and_cx16));
  }
}

static IRSB *instrument(
  VgCallbackClosure *closure, IRSB *old, const VexGuestLayout *layout, const VexGuestExtents *extents,
  const VexArchInfo *arch, IRType guest, IRType host) {
  fix_processor(old);
  if (!is_counting) return old;
  IRSB *block = deepCopyIRSBExceptStmts(old);
  UInt number = 0;
  Bool counts_here = True;
  for (Int i = 0; i < old->stmts_used; i++) {
    IRStmt *statement = old->stmts[i];
    if (!statement || statement->tag == Ist_NoOp) continue;
    if (statement->tag == Ist_IMark) {
      counts_here = !is_left_out(statement->Ist.IMark.addr);
      if (counts_here) number++;
    }
    if (!counts_here) {
      add_instructions(block, &number);
      addStmtToIRSB(block, statement);
      continue;
    }
    switch (statement->tag) {
    case Ist_Exit: add_instructions(block, &number); break;
    case Ist_WrTmp: {
      IRExpr *data = statement->Ist.WrTmp.data;
      if (data->tag == Iex_Load) add_access(block, False, data->Iex.Load.addr, sizeofIRType(data->Iex.Load.ty), NULL);
      break;
    }
    case Ist_Store: {
      IRType type = typeOfIRExpr(old->tyenv, statement->Ist.Store.data);
      add_access(block, True, statement->Ist.Store.addr, sizeofIRType(type), NULL);
      break;
    }
    case Ist_StoreG: {
      IRStoreG *store = statement->Ist.StoreG.details;
      add_access(block, True, store->addr, sizeofIRType(typeOfIRExpr(old->tyenv, store->data)), store->guard);
      break;
    }
    case Ist_LoadG: {
      IRLoadG *load = statement->Ist.LoadG.details;
      IRType type, wide;
      typeOfIRLoadGOp(load->cvt, &wide, &type);
      add_access(block, False, load->addr, sizeofIRType(type), load->guard);
      break;
    }
    case Ist_CAS: {
      IRCAS *swap = statement->Ist.CAS.details;
      Int size = sizeofIRType(typeOfIRExpr(old->tyenv, swap->dataLo)) * (swap->dataHi ? 2 : 1);
      add_access(block, False, swap->addr, size, NULL);
      add_access(block, True, swap->addr, size, NULL);
      break;
    }
    case Ist_Dirty: {
      IRDirty *dirty = statement->Ist.Dirty.details;
      if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
        add_access(block, False, dirty->mAddr, dirty->mSize, dirty->guard);
      if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
        add_access(block, True, dirty->mAddr, dirty->mSize, dirty->guard);
      break;
    }
    default: break;
    }
    addStmtToIRSB(block, statement);
  }
  add_instructions(block, &number);
  return block;
}

/* MARK: system calls and requests */

static void before_call(ThreadId thread, UInt number, UWord *words, UInt count) {
  if (is_counting && !is_left_out(VG_(get_IP)(thread))) counts.calls++;
}

static void after_call(ThreadId thread, UInt number, UWord *words, UInt count, SysRes result) {
  if (sr_isError(result)) return;
  if (number == __NR_munmap) remove_area(words[0], words[1]);
  if (number != __NR_mmap || !(words[3] & VKI_MAP_SHARED) || !(words[2] & VKI_PROT_WRITE)) return;
  HChar path[64], name[16];
  VG_(sprintf)(path, "/proc/self/fd/%d", (Int)words[4]);
  SSizeT length = VG_(readlink)(path, name, sizeof name);
  if (length >= 7 && VG_(strncmp)(name, "/memfd:", 7) == 0) add_area(sr_Res(result), sr_Res(result) + words[1]);
}

static Bool answer(ThreadId thread, UWord *words, UWord *result) {
  if (!VG_IS_TOOL_USERREQ('C', 'D', words[0])) return False;
  if (words[0] == COUNTED_LEAVE_OUT) {
    out_start = words[1];
    out_end = words[2];
  } else {
    *(struct counts *)words[2] = counts;
    if (is_counting != (words[1] != 0)) {
      is_counting = !is_counting;
      /* All code must be translated again. */
      VG_(discard_translations_safely)((Addr)0x1000, ~(SizeT)0xfff, "counter");
    }
  }
  *result = 0;
  return True;
}

static void begin(void) {}
static void end(Int code) {}

static void register_tool(void) {
  VG_(details_name)("counter");
  VG_(details_version)(NULL);
  VG_(details_description)("counts for ./dev bench");
  VG_(details_copyright_author)("");
  VG_(details_bug_reports_to)("");
  VG_(details_avg_translation_sizeB)(200);
  VG_(basic_tool_funcs)(begin, instrument, end);
  VG_(needs_syscall_wrapper)(before_call, after_call);
  VG_(needs_client_requests)(answer);
}

VG_DETERMINE_INTERFACE_VERSION(register_tool)
